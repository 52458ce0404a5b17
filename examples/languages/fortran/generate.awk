# Writes the module stride_c from libstride's stride.cdef, in which each constant, field and function has its own line:
#
#   awk -f generate.awk stride.cdef > stride_c.f90
#
# It has all constants, all structs, and the functions named below. stride.cdef does not say which pointers are lists:
# here those to const numbers are, and other numbers are single outputs. That is right for these functions.
BEGIN {
  wanted = " layout_init layout_crop layout_flip layout_permute layout_min_bytes layout_format layout_init_ordered" \
    " side_init side_set_range conversion_init copy_sides plan_init_sides plan_execute_part status_name" \
    " error_format version "
  kind["uint8_t"] = "integer(c_int8_t)"; kind["uint16_t"] = "integer(c_int16_t)"
  kind["int32_t"] = kind["uint32_t"] = kind["stride_status"] = "integer(c_int32_t)"
  kind["int64_t"] = kind["uint64_t"] = "integer(c_int64_t)"
  kind["size_t"] = "integer(c_size_t)"; kind["ptrdiff_t"] = "integer(c_ptrdiff_t)"
  kind["double"] = "real(c_double)"; kind["char"] = "character(kind=c_char)"
  print "module stride_c\n  use iso_c_binding\n  implicit none"
}

# Name and type of a declaration such as "const int64_t *sizes", into `name`, `type`, `pointer` and `constant`.
function split_declaration(text,    words, count) {
  constant = sub("const ", "", text); sub("struct ", "", text); pointer = gsub("\\*", "", text)
  count = split(text, words, " "); type = words[1]; name = words[count]
}

# The type in Fortran; a struct's begins with its name.
function fortran(type) { return type in kind ? kind[type] : "type(" type ")" }

/^  STRIDE_/ {
  sub(",", ""); value = $3
  if (sub("0x", "", value)) value = "int(z'" value "', c_int32_t)"
  print "  integer(c_int32_t), parameter :: " $1 " = " value
}
/^typedef struct .*{$/ { fields = 1; print "  type, bind(c) :: " $3; next }
/^}/ && fields { fields = 0; print "  end type"; next }
fields {
  sub(";", ""); split_declaration($0)
  sub("\\[", "(", name); sub("\\]", ")", name)
  print "    " (pointer ? "type(c_ptr)" : fortran(type)) " :: " name
}
/^[a-z].*\(.*\);$/ {
  open = index($0, "("); split_declaration(substr($0, 1, open - 1)); short = name; sub("stride_", "", short)
  if (!index(wanted, " " short " ")) next
  result = pointer ? "type(c_ptr)" : fortran(type); body = ""; list = ""
  count = split(substr($0, open + 1, length($0) - open - 2), parameters, ",")
  for (k = 1; k <= count; k++) {
    if (parameters[k] == "void") break
    function_name = name; split_declaration(parameters[k])
    attributes = pointer ? (constant ? ", intent(in), optional" : ", intent(inout), optional") : ", value"
    if (pointer && type == "void") { attributes = ", value"; declared = "type(c_ptr)" } else declared = fortran(type)
    entries = pointer && (type == "char" || constant && type in kind) ? "(*)" : ""
    body = body "      " declared attributes " :: " name entries "\n"
    list = list (k > 1 ? ", &\n        " : "") name
    name = function_name
  }
  functions = functions "    function " name "( &\n        " list ") result(answer) bind(c)\n      import\n" body \
    "      " result " :: answer\n    end function\n"
}
END { printf "  interface\n%s  end interface\nend module\n", functions }
