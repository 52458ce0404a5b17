import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Build step: {@code Generate stride.cdef StrideC.java} writes libstride's constants, structs and functions for
 * java.lang.foreign. In stride.cdef each constant, field and function has its own line.
 */
class Generate {
    /** C's scalars: the type in Java, and its layout. */
    static final Map<String, String> SCALARS = Map.ofEntries(
        Map.entry("char", "byte JAVA_BYTE"), Map.entry("uint8_t", "byte JAVA_BYTE"),
        Map.entry("uint16_t", "short JAVA_SHORT"), Map.entry("int32_t", "int JAVA_INT"),
        Map.entry("uint32_t", "int JAVA_INT"), Map.entry("stride_status", "int JAVA_INT"),
        Map.entry("int64_t", "long JAVA_LONG"), Map.entry("uint64_t", "long JAVA_LONG"),
        Map.entry("size_t", "long JAVA_LONG"), Map.entry("ptrdiff_t", "long JAVA_LONG"),
        Map.entry("double", "double JAVA_DOUBLE"));

    static final Pattern DECLARATION = Pattern.compile("(?:const |struct )*(\\w+) (\\**)(\\w+)(?:\\[(\\d+)\\])?");

    static final String HEAD = """
        import java.lang.foreign.*;
        import java.lang.invoke.MethodHandle;
        import java.util.ArrayList;
        import java.util.List;
        import static java.lang.foreign.ValueLayout.*;

        public final class StrideC {
            private StrideC() {}

            static {
                System.loadLibrary("stride");
            }

            static MethodHandle handle(String name, MemoryLayout result, MemoryLayout... parameters) {
                return Linker.nativeLinker().downcallHandle(SymbolLookup.loaderLookup().find(name).orElseThrow(),
                    FunctionDescriptor.of(result, parameters));
            }

            static RuntimeException unchecked(Throwable thrown) {
                if (thrown instanceof Error) throw (Error) thrown;
                return thrown instanceof RuntimeException ? (RuntimeException) thrown : new RuntimeException(thrown);
            }

            /** Pads as C does; java.lang.foreign pads nothing by itself. */
            static StructLayout struct(MemoryLayout... fields) {
                List<MemoryLayout> members = new ArrayList<>();
                long end = 0, widest = 1;
                for (MemoryLayout field : fields) {
                    long gap = -end & (field.byteAlignment() - 1);
                    if (gap > 0) members.add(MemoryLayout.paddingLayout(gap));
                    members.add(field);
                    end += gap + field.byteSize();
                    widest = Math.max(widest, field.byteAlignment());
                }
                if ((-end & (widest - 1)) > 0) members.add(MemoryLayout.paddingLayout(-end & (widest - 1)));
                return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
            }

        """;

    /** A declaration, without its name: as a type in Java, or as a layout. */
    record Declaration(String name, String type, String layout) {
        static Declaration of(String c) {
            Matcher m = DECLARATION.matcher(c.trim());
            if (!m.matches()) throw new IllegalArgumentException(c);
            // A field may be a struct, whose layout has its name.
            String scalar = SCALARS.getOrDefault(m.group(1), "MemorySegment " + m.group(1));
            String[] both = (m.group(2).isEmpty() ? scalar : "MemorySegment ADDRESS").split(" ");
            String layout = m.group(4) == null ? both[1]
                : "MemoryLayout.sequenceLayout(" + m.group(4) + ", " + both[1] + ")";
            return new Declaration(m.group(3), both[0], layout);
        }
    }

    /** A handle is made at the first call: by a class of its own. */
    static String function(Declaration f, List<Declaration> parameters) {
        String layouts = parameters.stream().map(p -> ", " + p.layout).collect(Collectors.joining());
        String declared = parameters.stream().map(p -> p.type + " " + p.name).collect(Collectors.joining(", "));
        String names = parameters.stream().map(p -> p.name).collect(Collectors.joining(", "));
        return "\n    private static final class " + f.name + " {\n        static final MethodHandle HANDLE = handle(\""
            + f.name + "\", " + f.layout + layouts + ");\n    }\n\n    public static " + f.type + " " + f.name + "("
            + declared + ") {\n        try {\n            return (" + f.type + ") " + f.name + ".HANDLE.invokeExact("
            + names + ");\n        } catch (Throwable thrown) {\n            throw unchecked(thrown);\n"
            + "        }\n    }\n";
    }

    public static void main(String[] args) throws Exception {
        String cdef = Files.readString(Path.of(args[0])).replaceAll("//.*", "");
        StringBuilder out = new StringBuilder(HEAD);
        Matcher m = Pattern.compile("(STRIDE_\\w+) = (\\w+)").matcher(cdef);
        while (m.find()) out.append("    public static final int " + m.group(1) + " = " + m.group(2) + ";\n");

        m = Pattern.compile("typedef struct (\\w+) \\{(.*?)\\}", Pattern.DOTALL).matcher(cdef);
        while (m.find()) {
            List<String> fields = new ArrayList<>();
            for (String line : m.group(2).trim().split(";\\s*")) {
                Declaration field = Declaration.of(line);
                fields.add("\n        " + field.layout + ".withName(\"" + field.name + "\")");
            }
            out.append("\n    public static final StructLayout " + m.group(1) + " = struct(");
            out.append(String.join(",", fields) + ");\n");
        }

        m = Pattern.compile("^(.*[ *]stride_\\w+)\\((.*)\\);", Pattern.MULTILINE).matcher(cdef);
        while (m.find()) {
            List<Declaration> parameters = new ArrayList<>();
            if (!m.group(2).equals("void"))
                for (String parameter : m.group(2).split(",")) parameters.add(Declaration.of(parameter));
            out.append(function(Declaration.of(m.group(1)), parameters));
        }
        Files.writeString(Path.of(args[1]), out.append("}\n"));
    }
}
