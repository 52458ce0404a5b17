module photo

go 1.19
