import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Build step: {@code java Generate.java stride.cdef StrideC.java} writes libstride's constants, structs and functions
 * as an interface for JNA. In stride.cdef each constant, field and function has its own line.
 */
class Generate {
    /** C's scalars: the type in Java, and the bytes. A struct of them needs as much alignment as its widest field. */
    static final Map<String, String> SCALARS = Map.ofEntries(
        Map.entry("char", "byte 1"), Map.entry("uint8_t", "byte 1"), Map.entry("uint16_t", "short 2"),
        Map.entry("int32_t", "int 4"), Map.entry("uint32_t", "int 4"), Map.entry("stride_status", "int 4"),
        Map.entry("int64_t", "long 8"), Map.entry("uint64_t", "long 8"), Map.entry("size_t", "long 8"),
        Map.entry("ptrdiff_t", "long 8"), Map.entry("float", "float 4"), Map.entry("double", "double 8"));

    /** Bytes and alignment of the structs so far: a field may be one of them. */
    static final Map<String, int[]> STRUCTS = new HashMap<>();

    static final Pattern DECLARATION = Pattern.compile("(?:const |struct )*(\\w+) (\\**)(\\w+)(?:\\[(\\d+)\\])?");

    static Matcher declaration(String c) {
        Matcher m = DECLARATION.matcher(c.trim());
        if (!m.matches()) throw new IllegalArgumentException(c);
        return m;
    }

    /** A struct as its size and the offsets of its fields, where pointers have 8 bytes. */
    static String struct(String name, String[] fields) {
        StringBuilder offsets = new StringBuilder();
        int end = 0, widest = 1;
        for (String field : fields) {
            Matcher m = declaration(field);
            int[] both = bytesAndAlignment(m);
            int offset = (end + both[1] - 1) / both[1] * both[1];
            offsets.append(offsets.length() > 0 ? ", " : "").append(m.group(3) + " = " + offset);
            end = offset + both[0] * (m.group(4) == null ? 1 : Integer.parseInt(m.group(4)));
            widest = Math.max(widest, both[1]);
        }
        end = (end + widest - 1) / widest * widest;
        STRUCTS.put(name, new int[] {end, widest});
        return "\n    class " + name + " extends Memory {\n        public static final int " + offsets + ";\n"
            + "        public " + name + "() { super(" + end + "); }\n"
            + "        /** A list of so many, 1 and more. */\n"
            + "        public " + name + "(int entries) { super(" + end + "L * entries); }\n    }\n";
    }

    static int[] bytesAndAlignment(Matcher m) {
        if (STRUCTS.containsKey(m.group(1)) && m.group(2).isEmpty()) return STRUCTS.get(m.group(1));
        int bytes = m.group(2).isEmpty() ? Integer.parseInt(SCALARS.get(m.group(1)).split(" ")[1]) : 8;
        return new int[] {bytes, bytes};
    }

    static String parameter(String c) {
        Matcher m = declaration(c);
        String scalar = SCALARS.getOrDefault(m.group(1), m.group(1)).split(" ")[0];
        if (m.group(2).isEmpty()) return scalar + " " + m.group(3);
        if (m.group(1).equals("void")) return "Buffer " + m.group(3);
        return scalar + (SCALARS.containsKey(m.group(1)) ? "[] " : " ") + m.group(3);
    }

    public static void main(String[] args) throws Exception {
        String cdef = Files.readString(Path.of(args[0])).replaceAll("//.*", "");
        StringBuilder out = new StringBuilder();
        out.append("import com.sun.jna.*;\nimport java.nio.Buffer;\n\npublic interface StrideC extends Library {\n");
        out.append("    StrideC C = Native.load(\"stride\", StrideC.class);\n\n");

        Matcher m = Pattern.compile("(STRIDE_\\w+) = (\\w+)").matcher(cdef);
        while (m.find()) out.append("    int " + m.group(1) + " = " + m.group(2) + ";\n");

        m = Pattern.compile("typedef struct (\\w+) \\{(.*?)\\}", Pattern.DOTALL).matcher(cdef);
        while (m.find()) out.append(struct(m.group(1), m.group(2).trim().split(";\\s*")));

        m = Pattern.compile("^(.*[ *])(stride_\\w+)\\((.*)\\);", Pattern.MULTILINE).matcher(cdef);
        while (m.find()) {
            List<String> parameters = new ArrayList<>();
            if (!m.group(3).equals("void"))
                for (String parameter : m.group(3).split(",")) parameters.add(parameter(parameter));
            String result = m.group(1).contains("*") ? "String" : SCALARS.get(m.group(1).trim()).split(" ")[0];
            out.append("\n    " + result + " " + m.group(2) + "(" + String.join(", ", parameters) + ");\n");
        }
        Files.writeString(Path.of(args[1]), out.append("}\n"));
    }
}
