// Build step: Generate stride.json Native.cs writes libstride's constants, structs and functions for P/Invoke: an enum
// for each group of constants, and C's pointers. A field that is wider than its group's constants stays a number.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;

static class Generate {
    static readonly Dictionary<string, string> scalars = new Dictionary<string, string> {
        { "char", "byte" }, { "uint8_t", "byte" }, { "uint16_t", "ushort" }, { "int32_t", "int" },
        { "uint32_t", "uint" }, { "stride_status", "int" }, { "int64_t", "long" }, { "uint64_t", "ulong" },
        { "size_t", "UIntPtr" }, { "ptrdiff_t", "IntPtr" }, { "double", "double" }, { "void", "void" },
    };

    static readonly Dictionary<string, Item> groups = new Dictionary<string, Item>();

    // An object of the JSON file, whose strings and numbers are both strings here.
    sealed class Item : Dictionary<string, object> {
        public string Text(string key) { return ContainsKey(key) ? (string)this[key] : null; }

        public IEnumerable<Item> List(string key) { return ((List<object>)this[key]).Cast<Item>(); }
    }

    static object Value(IEnumerator<string> tokens) {
        string token = tokens.Current;
        tokens.MoveNext();
        if (token[0] == '"') return Regex.Unescape(token.Substring(1, token.Length - 2));
        if (token != "{" && token != "[") return token;
        var item = new Item();
        var list = new List<object>();
        while (tokens.Current != "}" && tokens.Current != "]") {
            object value = Value(tokens);
            if (token == "[") {
                list.Add(value);
            } else {
                tokens.MoveNext(); // the colon
                item[(string)value] = Value(tokens);
            }
            if (tokens.Current == ",") tokens.MoveNext();
        }
        tokens.MoveNext();
        return token == "[" ? (object)list : item;
    }

    static Item Read(string path) {
        var tokens = Regex.Matches(File.ReadAllText(path), "\"(?:[^\"\\\\]|\\\\.)*\"|[{}\\[\\],:]|[^\\s{}\\[\\],:\"]+")
            .Cast<Match>().Select(match => match.Value).Concat(new[] { "" }).GetEnumerator();
        tokens.MoveNext();
        return (Item)Value(tokens);
    }

    // OUT_OF_BOUNDS becomes OutOfBounds; what has digits, such as F8E5M2, stays.
    static string Pascal(string name) {
        string made = string.Concat(name.Trim('_').Split('_').Select(word =>
            word.Any(char.IsDigit) ? word : word.Substring(0, 1) + word.Substring(1).ToLowerInvariant()));
        return char.IsDigit(made[0]) ? "_" + made : made;
    }

    static string EnumName(Item group) {
        string name = Pascal(group.Text("name").Substring("STRIDE_".Length));
        if (group.Text("kind") != "flags") return name;
        return (name.EndsWith("Flag") ? name.Substring(0, name.Length - 4) : name) + "Flags";
    }

    static string Scalar(string type) {
        string stars = type.Substring(type.TrimEnd(' ', '*').Length).Trim(), made;
        string name = type.Replace("const ", "").TrimEnd(' ', '*');
        return (scalars.TryGetValue(name, out made) ? made : name) + stars;
    }

    static string Type(Item item) {
        string type = item.Text("type");
        if (type == "stride_status") return "Status";
        if (item.ContainsKey("group") && groups[item.Text("group")].Text("type") == type)
            return EnumName(groups[item.Text("group")]);
        return Scalar(type);
    }

    static void Main(string[] arguments) {
        Item json = Read(arguments[0]);
        using (var o = new StreamWriter(arguments[1])) {
            o.WriteLine("using System;\nusing System.Runtime.InteropServices;\n\nnamespace Stride {");
            var constants = json.List("constants").ToLookup(constant => constant.Text("group"));
            foreach (Item group in json.List("groups")) {
                groups[group.Text("name")] = group;
                if (group.Text("kind") == "flags") o.WriteLine("    [Flags]");
                o.WriteLine("    public enum {0} : {1} {{", EnumName(group), scalars[group.Text("type")]);
                foreach (Item c in constants[group.Text("name")])
                    o.WriteLine("        {0} = {1},", Pascal(c.Text("name").Substring(group.Text("name").Length)),
                        c.Text("value"));
                o.WriteLine("    }\n");
            }
            var structs = new HashSet<string>(json.List("structs").Select(type => type.Text("name")));
            foreach (Item type in json.List("structs")) {
                o.WriteLine("    [StructLayout(LayoutKind.Sequential)]\n    internal unsafe struct {0} {{",
                    type.Text("name"));
                foreach (Item f in type.List("fields"))
                    if (f.ContainsKey("entries") && structs.Contains(f.Text("type")))
                        foreach (int k in Enumerable.Range(0, int.Parse(f.Text("entries")))) // none is fixed
                            o.WriteLine("        public {0} {1}{2};", f.Text("type"), f.Text("name"), k);
                    else if (f.ContainsKey("entries"))
                        o.WriteLine("        public fixed {0} {1}[{2}];", Scalar(f.Text("type")), f.Text("name"),
                            f.Text("entries"));
                    else
                        o.WriteLine("        public {0} {1};", Type(f), "@" + f.Text("name"));
                o.WriteLine("    }\n");
            }
            o.WriteLine("    internal static unsafe class Native {");
            foreach (Item c in constants[null])
                o.WriteLine("        public const long {0} = {1};", c.Text("name"), c.Text("value"));
            foreach (Item f in json.List("functions")) {
                string returns = f.Text("returns") == "stride_status" ? "Status" : Scalar(f.Text("returns"));
                o.WriteLine("\n        [DllImport(\"stride\", CallingConvention = CallingConvention.Cdecl)]");
                o.WriteLine("        public static extern {0} {1}({2});", returns, f.Text("name"),
                    string.Join(", ", f.List("parameters").Select(p => Type(p) + " @" + p.Text("name"))));
            }
            o.WriteLine("    }\n}");
        }
    }
}
