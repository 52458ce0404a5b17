# The C library, its demo and its installation. `make help` lists the targets.
#
# `make lib` builds freestanding: no Rust runtime inside, and a panic that could be reached fails the link.

CARGO ?= cargo
CC ?= cc
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share

VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
REPOSITORY := $(shell sed -n 's/^repository = "\(.*\)".*/\1/p' Cargo.toml)
ABI := 0
HEADERS := $(notdir $(wildcard include/*.h include/*.hpp))
LICENSES := LICENSE-MIT LICENSE-APACHE LICENSE-THIRD-PARTY
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
# TARGET names another system, as in TARGET=x86_64-pc-windows-gnu. macOS and Windows have linkers of their own: there it
# is the system itself, so that `make lib` takes their way too. Cargo and others have a TARGET of theirs in the
# environment.
ifeq ($(origin TARGET),environment)
TARGET :=
endif
ifneq ($(filter Darwin MINGW% MSYS%,$(shell uname -s)),)
TARGET ?= $(shell rustc -vV | sed -n 's/^host: //p')
endif
# The instruction sets of x86-64 that the library has: all, or those up to avx2 or ssse3, or portable code alone.
ifeq ($(origin SETS),environment)
SETS :=
endif
ifneq ($(SETS),)
ifeq ($(filter portable ssse3 avx2 avx512,$(SETS)),)
$(error SETS=$(SETS): it is one of portable, ssse3, avx2, avx512)
endif
endif
OUT := $(TARGET_DIR)/c$(TARGET:%=/%)
CFLAGS ?= -O2
WARNINGS := -std=c99 -Wall -Wextra -Wpedantic -Werror

# What is installed of a system's libraries, FILE or FILE:NAME, and links, LINK:NAME. Without a linker for the system
# (docs/INSTALL.md) the first alone is made.
ifneq ($(findstring -windows-msvc,$(TARGET)),)
LIBRARIES := stride_static.lib stride.lib
DLL := stride.dll
else ifneq ($(findstring -windows-,$(TARGET)),)
LIBRARIES := libstride.a libstride.dll.a stride.lib
DLL := stride.dll
else ifneq ($(findstring -apple-,$(TARGET)),)
LIBRARIES := libstride.a libstride.$(ABI).dylib
LINKS := libstride.dylib:libstride.$(ABI).dylib
else ifneq ($(filter wasm32-%,$(TARGET)),)
LIBRARIES := libstride.a stride.wasm stride_plain.wasm
else
LIBRARIES := libstride.a libstride.so:libstride.so.$(VERSION)
LINKS := libstride.so.$(ABI):libstride.so.$(VERSION) libstride.so:libstride.so.$(ABI)
endif

comma := ,

.PHONY: help lib demo draw header install uninstall dist abi clean proof release release-check fuzz add wheel plans \
    ways judge ways-search play site bench-random bench-cliffs bench-table bench-peers bench-counts bench-criterion \
    bench-calls bench-overhead bench-bounds bench-relayout bench-runs bench-batch bench-bits bench-convert \
    bench-pipeline bench-gaps bench-neon bench-against bench-bytes

help:
	@echo 'make lib      $(OUT)/libstride.a and .so, freestanding'
	@echo 'make lib TARGET=x86_64-pc-windows-gnu   the same for another system (docs/INSTALL.md), below target/c/TARGET'
	@echo 'make lib SETS=avx2   without the kernels for AVX-512; also ssse3, portable (docs/INSTALL.md)'
	@echo 'make demo     the main job on a real photograph'
	@echo 'make draw     pictures of XLA layouts; then $(OUT)/draw SHAPE...'
	@echo 'make add      your own loop over three operands of different layouts'
	@echo 'make play     the page to play with, to be served from $(TARGET_DIR)/play (docs/play)'
	@echo 'make site     the project'"'"'s site, in $(SITE): the guide, the reference, the page to play with (doxygen)'
	@echo 'make wheel    the Python package, in $(TARGET_DIR)/wheels (LIBRARY=stride.dll: for Windows)'
	@echo 'make header   regenerate include/: the C headers, stride.json and stride.cdef; and python/src/stride/_raw.py'
	@echo 'make plans    pin what is chosen for the named copies anew: tests/plans'
	@echo 'make bench-table   the named copies beside memcpy, NumPy, PyTorch, OpenCV (ARGS="--cases transpose")'
	@echo 'make bench-table LIST=everyday   the five copies of the README, and how long peers take beside one call'
	@echo 'make bench-table LIST=published   copies that others published with figures: the 57 of TTC and more'
	@echo 'make bench-peers   as bench-table, with Rust crates (PEERS=hptt,strided-kernel: minutes to compile)'
	@echo 'make bench-criterion  the named copies, with criterion (ARGS="transpose", ARGS=--quick)'
	@echo 'make bench-random  random copies against naive C (SEED=1 COUNT=1000 MS=20)'
	@echo 'make bench-cliffs  random copies beside every other way to run them (SEED=1 COUNT=1000 MS=20)'
	@echo 'make bench-relayout  tiled XLA shapes, beside memcpy and plain copies (MS=20)'
	@echo 'make bench-batch   one plan at many places, beside one copy of the same bytes (MS=20)'
	@echo 'make bench-pipeline  a copy between a loop that makes its source and one that reads its result (MS=20)'
	@echo 'make bench-gaps  what no element occupies, filled, beside memset and a copy (MS=20)'
	@echo 'make bench-convert   copies that convert, beside plain ones, memcpy, NumPy, PyTorch, OpenCV and others'
	@echo 'make bench-bits  elements of 4 and 1 bits, beside memcpy and copies of bytes (MS=20)'
	@echo 'make ways     what every plan costs on this CPU, five minutes (BESIDE=commits, ARGS="--out FILE")'
	@echo 'make judge    what the choice loses on each CPU of benches/ways; make ways-search: sizes that lose least'
	@echo 'make bench-calls   small copies in ns, planned, by one call and to plan; and two threads (MS=20)'
	@echo 'make bench-overhead  what calls cost beside the work in them (MS=20 OTHERS=other/libstride.so)'
	@echo 'make bench-runs    your own loop run by run, beside an odometer by hand (MS=20)'
	@echo 'make bench-bounds  transposes beside copies of the same lines that compute nothing (MS=20)'
	@echo 'make bench-against OLD=commit   this library beside an older one (ARGS=--cold)'
	@echo 'make bench-bytes   bytes of machine code by room and family'
	@echo 'make bench-counts  instructions of small copies, under valgrind'
	@echo 'make bench-neon    instructions of NEON kernels beside AVX2, under qemu; llvm-mca (SHARE=1)'
	@echo 'make fuzz     every fuzz target for SECONDS=60; proof has what was fuzzed so far'
	@echo 'make release-check   every check of tools/checks.toml but those that only count, two hours (CHECKS=windows,targets)'
	@echo 'make proof    every figure of docs/PROOF.md, hours; may be broken off (JOBS=miri,slips; AGAIN=1)'
	@echo 'make clean    removes what make built'
	@echo 'make install  headers, libraries, files for pkg-config and CMake (PREFIX=$(PREFIX) DESTDIR=); make uninstall'
	@echo 'make dist     the source tarball, with all crates inside, into $(OUT)'
	@echo 'make release  all that a release page carries, each file installed and tried, in $(PAGE) (SYSTEMS=wasm32)'
	@echo 'make abi      the binary interface beside docs/abi (libabigail); make abi WRITE=1 writes it anew'

lib:
	CARGO='$(CARGO)' SETS='$(SETS)' WITHOUT='$(WITHOUT)' sh tools/lib.sh "$(or $(TARGET),host)" "$(OUT)"

demo: lib
	$(CC) $(CFLAGS) $(WARNINGS) -D_POSIX_C_SOURCE=200112L -Iinclude examples/c/photo.c "$(OUT)/libstride.a" -o "$(OUT)/photo"
	"$(OUT)/photo" examples/data/chelsea.ppm "$(OUT)" $$($(PYTHON) examples/c/photo_numpy.py examples/data/chelsea.ppm)

draw: lib
	$(CC) $(CFLAGS) $(WARNINGS) -Iinclude examples/c/draw.c "$(OUT)/libstride.a" -o "$(OUT)/draw"
	"$(OUT)/draw"

add: lib
	$(CC) $(CFLAGS) $(WARNINGS) -Iinclude examples/c/add.c "$(OUT)/libstride.a" -o "$(OUT)/add"
	"$(OUT)/add"

header:
	STRIDE_WRITE_HEADER=1 $(CARGO) test -q --test header generated
	$(PYTHON) python/generate.py
	$(PYTHON) docs/play/interface.py

plans:
	STRIDE_WRITE_PLANS=1 $(CARGO) test -q --test plans
	@if command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then \
	    STRIDE_WRITE_PLANS=1 CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64 -L /usr/aarch64-linux-gnu' \
	    $(CARGO) test -q --target aarch64-unknown-linux-gnu --target-dir $(TARGET_DIR)/other --test plans; \
	else echo 'tests/plans/neon_server.txt stays: it wants aarch64-linux-gnu-gcc and qemu-aarch64'; fi

# The naive loops may use all that the compiler and this CPU have. LD_LIBRARY_PATH puts another libstride.so in its
# place.
NAIVE_CFLAGS ?= -O3 -march=native
SEED ?= 1
COUNT ?= 1000
MS ?= 20

BENCHES = random relayout calls overhead bounds runs batch bits pipeline gaps cliffs

# Names of rules have no spaces: with one in OUT there are the library, the examples and the installation.
ifeq ($(words $(OUT)),1)
$(OUT)/random: benches/naive.h
$(OUT)/random $(OUT)/cliffs: benches/shapes.h
$(BENCHES:%=$(OUT)/%): $(OUT)/%: benches/%.c benches/bench.h $(wildcard include/*.h) lib
	$(CC) -std=gnu11 $(NAIVE_CFLAGS) -Wall -Wextra -Werror -Iinclude $< -L$(OUT) -lstride -lpthread -ldl -lm -Wl,-rpath,'$$ORIGIN' -o $@

bench-random bench-cliffs: bench-%: $(OUT)/%
	$(OUT)/$* $(SEED) $(COUNT) $(MS)

bench-relayout bench-calls bench-bounds bench-runs bench-batch bench-bits bench-pipeline bench-gaps: bench-%: $(OUT)/%
	$(OUT)/$* $(MS)

OTHERS ?=

bench-overhead: $(OUT)/overhead
	$(OUT)/overhead $(MS) $(OTHERS)

$(OUT)/libcompare.so: benches/compare.c benches/naive.h benches/casts.h
	mkdir -p $(OUT)
	$(CC) -std=gnu11 $(NAIVE_CFLAGS) -Wall -Wextra -Werror -shared -fPIC $< -o $@
endif

PYTHON ?= python3
ARGS ?=
PEERS ?=

LIST ?= list

bench-table: lib $(OUT)/libcompare.so
	$(PYTHON) benches/compare.py --list $(LIST) --lib $(OUT)/libstride.so --harness $(OUT)/libcompare.so \
	    --peers $(TARGET_DIR)/peers/release/libpeers.so --out $(OUT)/compare $(ARGS)

bench-convert: lib $(OUT)/libcompare.so
	$(PYTHON) benches/convert.py --lib $(OUT)/libstride.so --harness $(OUT)/libcompare.so $(ARGS)

OLD ?= $(error OLD=the other libstride.so, or a commit)

ways: lib $(OUT)/libcompare.so
	$(PYTHON) benches/ways.py record $(BESIDE:%=--old %) $(ARGS)

judge: lib
	$(PYTHON) benches/ways.py judge $(ARGS)

ways-search: lib
	$(PYTHON) benches/ways.py search $(ARGS)

bench-against: lib $(OUT)/libcompare.so
	$(PYTHON) benches/against.py $(OLD) $(OUT)/libstride.so $(OUT)/libcompare.so --list $(LIST) $(ARGS)

bench-bytes: lib
	$(PYTHON) benches/bytes.py $(OUT)/libstride.so $(OUT)/libstride.a $(ARGS)

bench-peers:
	$(CARGO) build -q --release --manifest-path benches/peers/Cargo.toml --target-dir $(TARGET_DIR)/peers \
	    --features '$(PEERS)'
	$(MAKE) bench-table

bench-criterion:
	CRITERION_HOME=$(abspath $(TARGET_DIR))/criterion/reports $(CARGO) bench --manifest-path benches/criterion/Cargo.toml --target-dir $(TARGET_DIR)/criterion -- --noplot $(ARGS)

bench-counts: lib
	OUT=$(OUT) CC='$(CC)' bash benches/counts.sh

SHARE ?= 1

bench-neon: lib
	$(MAKE) lib TARGET=aarch64-unknown-linux-gnu
	$(PYTHON) benches/neon/run.py $(OUT)/neon $(OUT)/libstride.a $(OUT)/aarch64-unknown-linux-gnu/libstride.a $(SHARE)

# The page, its modules without indents and lines of comments, and the library as WASM, also compressed, as
# docs/play/README.md says. WASM names another stride.wasm, with stride_plain.wasm beside it.
WASM ?= $(TARGET_DIR)/c/wasm32-unknown-unknown/stride.wasm

play:
	$(if $(filter file,$(origin WASM)),$(MAKE) lib TARGET=wasm32-unknown-unknown)
	$(PYTHON) docs/play/interface.py --check
	rm -rf "$(TARGET_DIR)/play"
	mkdir -p "$(TARGET_DIR)/play"
	sed 's|@repository@|$(REPOSITORY)|' docs/play/index.html > "$(TARGET_DIR)/play/index.html"
	install -m 644 docs/play/style.css "$(TARGET_DIR)/play"
	for module in docs/play/*.mjs; do \
	    sed 's/^ *//; /^\/\/ /d' "$$module" > "$(TARGET_DIR)/play/$${module##*/}" || exit 1; \
	done
	for form in stride stride_plain; do \
	    install -m 644 "$(dir $(WASM))$$form.wasm" "$(TARGET_DIR)/play/$$form.wasm" && \
	    gzip -9 -n -c "$(TARGET_DIR)/play/$$form.wasm" > "$(TARGET_DIR)/play/$$form.wasm.gz" || exit 1; \
	done

SITE ?= $(TARGET_DIR)/site
MDBOOK := $(or $(shell command -v mdbook),$(TARGET_DIR)/mdbook/bin/mdbook)

# Another Doxygen than that of the check `reference` may warn of other things.
site: play
	[ -x "$(MDBOOK)" ] || $(CARGO) install -q --debug --locked --no-default-features --root "$(TARGET_DIR)/mdbook" \
	    mdbook --version 0.4.52
	rm -rf "$(SITE)"
	mkdir -p "$(SITE)"
	sed 's|@repository@|$(REPOSITORY)|' docs/site.html > "$(SITE)/index.html"
	MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL='$(REPOSITORY)' "$(MDBOOK)" build docs/guide -d "$(abspath $(SITE))/guide"
	{ cat docs/Doxyfile; echo WARN_AS_ERROR=NO; } | doxygen -
	cp -R target/doxygen/html "$(SITE)/reference"
	cp -R "$(TARGET_DIR)/play" "$(SITE)/play"

LIBRARY ?=

wheel: $(if $(LIBRARY),,lib)
	$(PYTHON) python/build_wheel.py --library $(or $(LIBRARY),$(OUT)/libstride.so) --out $(TARGET_DIR)/wheels

# What lies where is told relative to the files that tell it, so that a prefix may be moved.
way = $$(sh tools/relative.sh "$(1)" "$(2)")
CMAKEDIR = $(LIBDIR)/cmake/stride

# `make lib` as oneself and `sudo make install` go together: who has no cargo installs what was built.
.PHONY: built
built:
	@test -f "$(OUT)/$(firstword $(LIBRARIES))" || \
	    { echo 'there is no $(CARGO) to build the library with: run `make lib` first, as the user who has it' >&2; exit 1; }

install: $(if $(shell command -v $(CARGO)),lib,built)
	@install -d "$(DESTDIR)$(INCLUDEDIR)" "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(CMAKEDIR)" \
	    "$(DESTDIR)$(DATADIR)/stride" "$(DESTDIR)$(DATADIR)/licenses/stride"
	@install -m 644 $(HEADERS:%=include/%) "$(DESTDIR)$(INCLUDEDIR)"
	@install -m 644 include/stride.json include/stride.cdef "$(DESTDIR)$(DATADIR)/stride"
	@install -m 644 $(LICENSES) "$(DESTDIR)$(DATADIR)/licenses/stride"
	@for library in $(LIBRARIES); do \
	    case $$library in libstride.so:* | *.dylib) mode=755 ;; *) mode=644 ;; esac; \
	    made="$(OUT)/$${library%:*}"; \
	    if [ -e "$$made" ] || [ $$library = $(firstword $(LIBRARIES)) ]; then \
	        install -m $$mode "$$made" "$(DESTDIR)$(LIBDIR)/$${library#*:}" || exit 1; \
	    else echo "not installed: $${library%:*}, which was not made"; fi; \
	done
	@for link in $(LINKS); do \
	    if [ -e "$(DESTDIR)$(LIBDIR)/$${link#*:}" ]; then ln -sf "$${link#*:}" "$(DESTDIR)$(LIBDIR)/$${link%:*}"; fi; \
	done
	@if [ -n "$(DLL)" ] && [ -e "$(OUT)/$(DLL)" ]; then \
	    install -d "$(DESTDIR)$(LIBDIR)/../bin"; \
	    install -m 755 "$(OUT)/$(DLL)" "$(DESTDIR)$(LIBDIR)/../bin/$(DLL)"; \
	fi
	@sed -e "s|@prefix@|$(call way,$(LIBDIR)/pkgconfig,$(PREFIX))|" -e 's|@version@|$(VERSION)|' \
	    -e 's|@repository@|$(REPOSITORY)|' \
	    -e "s|@libdir@|\$${prefix}/$(call way,$(PREFIX),$(LIBDIR))|" \
	    -e "s|@includedir@|\$${prefix}/$(call way,$(PREFIX),$(INCLUDEDIR))|" \
	    -e "s|@datadir@|\$${prefix}/$(call way,$(PREFIX),$(DATADIR))|" \
	    stride.pc.in > "$(DESTDIR)$(LIBDIR)/pkgconfig/stride.pc"
	@for file in strideConfig.cmake strideConfigVersion.cmake; do \
	    sed -e "/^set(_stride_include /s|/\.\./[^\"]*|/$(call way,$(CMAKEDIR),$(INCLUDEDIR))|" \
	        -e "/^set(_stride_data /s|/\.\./[^\"]*|/$(call way,$(CMAKEDIR),$(DATADIR))|" \
	        packaging/cmake/$$file > "$(DESTDIR)$(CMAKEDIR)/$$file" || exit 1; \
	done
	@chmod 644 "$(DESTDIR)$(LIBDIR)/pkgconfig/stride.pc" "$(DESTDIR)$(CMAKEDIR)"/*.cmake
	@echo "libstride $(VERSION) is in $(DESTDIR)$(PREFIX)"
	@if [ -z "$(DESTDIR)" ]; then \
	    echo "Unless the system searches there: export PKG_CONFIG_PATH=\"$(LIBDIR)/pkgconfig\"$(if \
	        $(findstring .so,$(LIBRARIES)), LD_LIBRARY_PATH=\"$(LIBDIR)\")"; \
	fi

uninstall:
	rm -f $(HEADERS:%="$(DESTDIR)$(INCLUDEDIR)/%") "$(DESTDIR)$(DATADIR)/stride/stride.json" \
	    "$(DESTDIR)$(DATADIR)/stride/stride.cdef" \
	    $(LICENSES:%="$(DESTDIR)$(DATADIR)/licenses/stride/%")
	for file in $(LIBRARIES); do rm -f "$(DESTDIR)$(LIBDIR)/$${file#*:}"; done
	for link in $(LINKS); do rm -f "$(DESTDIR)$(LIBDIR)/$${link%:*}"; done
	rm -f $(DLL:%="$(DESTDIR)$(LIBDIR)/../bin/%") "$(DESTDIR)$(LIBDIR)/pkgconfig/stride.pc" \
	    "$(DESTDIR)$(CMAKEDIR)/strideConfig.cmake" "$(DESTDIR)$(CMAKEDIR)/strideConfigVersion.cmake"
	-rmdir "$(DESTDIR)$(DATADIR)/stride" "$(DESTDIR)$(DATADIR)/licenses/stride" "$(DESTDIR)$(CMAKEDIR)" 2>/dev/null

DIST ?= $(OUT)

dist:
	CARGO='$(CARGO)' sh tools/dist.sh "$(DIST)"

PAGE ?= $(TARGET_DIR)/release-page
SYSTEMS ?=

release:
	$(PYTHON) tools/release.py "$(PAGE)" $(subst $(comma), ,$(SYSTEMS))
	$(PYTHON) tests/install/page.py "$(PAGE)"

abi:
	CARGO='$(CARGO)' bash tools/abi.sh $(OUT)/abi $(if $(WRITE),--write)

proof:
	python3 tools/proof.py $(subst $(comma), ,$(JOBS)) $(if $(AGAIN),--again)

release-check:
	python3 tools/checks.py release $(subst $(comma), ,$(CHECKS))

fuzz:
	bash fuzz/run.sh $(or $(SECONDS),60) record

clean:
	rm -rf $(OUT)
