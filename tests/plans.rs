//! Plans that are pinned: what is chosen for each named case of the bench on several machines, as text beside this
//! file. More copies than a list can name, as anybody might make them, are pinned by sums of their texts. A change of
//! judgement is a diff of these files: `make plans` writes them anew, and a line of `benches/record` says why.
#![cfg(not(miri))] // thousands of plans, of which none runs

#[path = "../benches/cases/mod.rs"]
mod cases;
mod oracle;

use oracle::{DEFAULTS, Random, Side, bytes_dtype};
use std::fmt::Write;
use std::ptr::{null, null_mut};
use stride::Dtype;
use stride::copy::kernels;
use stride::copy::options::{ASSUME_DISTINCT, FILL_BUFFER, KEEP_CACHED, OVERLAP, SMALL_STACK};
use stride::ffi::copy::stride_copy_options;
use stride::ffi::machine::{stride_machine, stride_machine_init};
use stride::ffi::plan::{stride_plan, stride_plan_describe, stride_plan_init};
use stride::ffi::runs::{stride_layouts_coalesce, stride_runs, stride_runs_init, stride_runs_next, stride_runs_part};
use stride::machine::{Level, Machine, Tuning};

const NUMBERS: &str = include_str!("../src/copy/choose/numbers.rs");

/// Name and text of each machine that this build has the kernels for: some that go by the rules, and the CPUs that were
/// measured.
fn machines() -> Vec<(&'static str, String)> {
    let by_rules = [
        ("neon_server", "level=neon first=65536 second=1048576 last=33554432"),
        ("avx512_small", "level=avx512 first=32768 second=1048576 last=8388608"),
        ("avx512_zen5", "level=avx512 first=32768 second=1048576 last=33554432"),
        ("avx512_large", "level=avx512 first=49152 second=2097152 last=67108864"),
        ("avx2_laptop", "level=avx2 first=32768 second=524288 last=8388608"),
        ("avx2_server", "level=avx2 first=32768 second=524288 last=33554432"),
        ("ssse3", "level=ssse3 first=32768 second=262144 last=4194304"),
        ("portable", "level=scalar first=32768 second=1048576 last=33554432"),
    ];
    let measured = Machine::measured().map(|(cpu, tuning)| {
        let (name, text) = match cpu {
            "Zen 3" => ("avx2_zen3", "level=avx2 first=32768 second=524288 last=33554432"),
            "Emerald Rapids" => ("avx512_emerald_rapids", "level=avx512 first=32768 second=2097152 last=67108864"),
            "Zen 4" => ("avx512_zen4", "level=avx512 first=32768 second=1048576 last=33554432"),
            _ => panic!("{cpu}: its caches, please"),
        };
        let sizes = Tuning::NAMES.iter().zip(tuning.values()).filter(|(_, size)| *size != 0);
        (name, text.to_owned() + &sizes.map(|(name, size)| format!(" {name}={size}")).collect::<String>())
    });
    let mut machines: Vec<_> =
        by_rules.map(|(name, text)| (name, text.to_owned())).into_iter().chain(measured).collect();
    let word = |text: &str| text.split(['=', ' ']).nth(1).map(str::to_owned);
    let built = |text: &str| {
        Level::ALL.into_iter().any(|level| level.is_built() && word(text).as_deref() == Some(level.word()))
    };
    machines.retain(|(_, text)| built(text));
    assert!(!machines.is_empty());
    machines
}

/// The machine, by the rules where the text has no size, whatever CPU runs this.
fn machine(text: &str) -> stride_machine {
    let rules =
        Tuning::NAMES.iter().filter(|name| !text.contains(&format!(" {name}="))).map(|name| format!(" {name}=0"));
    let text = text.to_owned() + &rules.collect::<String>();
    oracle::machine(&text)
}

/// The text of a plan, and its second word without the kernel's number: runs, loops, store, hints, shortcut.
fn described(dtype: u32, dst: &Side, src: &Side, flags: u32, machine: &stride_machine) -> (String, u64) {
    planned(dtype, dst, src, &stride_copy_options { machine, flags, ..DEFAULTS })
}

fn planned(dtype: u32, dst: &Side, src: &Side, options: &stride_copy_options) -> (String, u64) {
    let (mut plan, mut text, mut length) = (stride_plan { words: [0; 512] }, vec![0u8; 8192], 0);
    // SAFETY: structs that may be read and written; a buffer of that length.
    let statuses = unsafe {
        [
            stride_plan_init(&mut plan, &dst.layout(dtype), &src.layout(dtype), options, null_mut()),
            stride_plan_describe(&plan, text.as_mut_ptr().cast(), text.len() as u64, &mut length, null_mut()),
        ]
    };
    assert_eq!(statuses, [0, 0], "{dst:?} {src:?}");
    text.truncate(length as usize);
    (String::from_utf8(text).unwrap(), plan.words[1] >> 16)
}

#[test]
fn choices_are_the_pinned_ones() {
    for (name, text) in machines() {
        let machine = machine(&text);
        let mut now = format!("# Plans of the named cases on this machine: {text}\n# Written by `make plans`.\n");
        let mut kind = "";
        for case in cases::up_to(usize::MAX) {
            if case.kind != kind {
                kind = case.kind;
                writeln!(now, "\n{kind}").unwrap();
            }
            let [dst, src] = [&case.dst, &case.src].map(|strides| Side::new(&case.sizes, strides, 0));
            writeln!(now, "{}: {}", case.name, described(bytes_dtype(case.width), &dst, &src, 0, &machine).0).unwrap();
        }
        writeln!(now, "\nsums of the plans of 256 copies of anybody").unwrap();
        let before = now.lines().count();
        for group in 0..64 {
            writeln!(now, "{:016x}", oracle::sum(oracle::NO_SUM, any_copies(group, &machine).as_bytes())).unwrap();
        }
        let of =
            |line: usize| line.checked_sub(before).map_or(String::new(), |group| any_copies(group as u64, &machine));
        oracle::pinned(&format!("plans/{name}.txt"), "STRIDE_WRITE_PLANS", &now, of);
    }
}

/// A copy as anybody might make it, of up to 256 Mi elements, none of which is there: sizes, strides of both sides and
/// an element.
fn anybody(random: &mut Random) -> (u32, Side, Side) {
    let (rank, mut room) = (1 + random.below(6), 1i64 << (4 + random.below(25)));
    let mut sizes = Vec::new();
    for _ in 0..rank {
        let some = [
            2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 31, 32, 48, 63, 64, 65, 100, 128, 224, 256, 500, 1000, 1024, 4096, 10_000,
        ];
        let longest = random.pick(&[8, 16, some.len()]);
        let size = random.pick(&some[..longest]).min(room);
        room /= size;
        sizes.push(size);
    }
    if random.one_in(3) {
        sizes.push(room.min(1 << 20));
    }
    let mut side = |least_padding: i64| {
        let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
        match random.below(6) {
            0 | 1 => {}
            2 => order.reverse(),
            3 => order.rotate_left(1),
            _ => random.shuffle(&mut order),
        }
        let (mut strides, mut step) = (vec![0; sizes.len()], if random.one_in(8) { 2 + random.below(3) } else { 1 });
        for &dimension in &order {
            strides[dimension] = if random.one_in(16) { -step } else { step };
            step *= sizes[dimension];
            match random.below(12) {
                0 => step += least_padding + random.below(8),
                1 => step = (step + 63) / 64 * 64,
                _ => {}
            }
        }
        let repeated = least_padding == 0 && random.one_in(8);
        if repeated {
            strides[random.below(sizes.len() as u64) as usize] = 0;
        }
        Side::new(&sizes, &strides, random.pick(&[0, 0, 0, 1, 16]))
    };
    let (dst, src) = (side(1), side(0));
    let dtype = match random.below(24) {
        0 => random.pick(&[stride::Dtype::U4.code(), stride::Dtype::U1.code(), stride::Dtype::S2.code()]),
        1 => bytes_dtype(1 + random.below(70) as usize),
        _ => bytes_dtype(random.pick(&[1, 1, 2, 2, 4, 4, 4, 8, 8, 16, 3, 6, 12, 32])),
    };
    (dtype, dst, src)
}

/// Some of them, each with its plan.
fn any_copies(group: u64, machine: &stride_machine) -> String {
    let mut random = Random::new(20_261_123 + group);
    let lines = (0..256).map(|_| {
        let (dtype, dst, src) = anybody(&mut random);
        let asked = [0, ASSUME_DISTINCT, FILL_BUFFER, OVERLAP, KEEP_CACHED, SMALL_STACK];
        let flags =
            if random.one_in(3) { random.pick(&asked) | random.pick(&[0, KEEP_CACHED, SMALL_STACK]) } else { 0 };
        let (text, word) = described(dtype, &dst, &src, flags, machine);
        format!("{dtype:#x} {dst:?} from {src:?}, {flags}: {word:#x}, {text}\n")
    });
    lines.collect()
}

/// Less than 16 KiB are copied as on any CPU of this instruction set, also where the elements of a side lie a page
/// apart, over more than half of a second cache or not; from 16 KiB on as on this CPU.
#[test]
fn plans_of_small_copies_know_no_cache() {
    let any = machine(&format!("level={} first=32768 second=1048576 last=33554432", Level::best().word()));
    let mut this = oracle::zeroed::<stride_machine>();
    // SAFETY: a struct that may be written.
    assert_eq!(unsafe { stride_machine_init(&mut this) }, 0);
    for (side, machine) in [(32, any), (63, any), (64, this)] {
        for pages in 1..=40 {
            let dst = Side::new(&[side, side], &[side, 1], 0);
            let src = Side::new(&[side, side], &[2, 1024 * pages], 0);
            let here = planned(bytes_dtype(4), &dst, &src, &DEFAULTS);
            assert_eq!(
                here,
                described(bytes_dtype(4), &dst, &src, 0, &machine),
                "{side} x {side}, {pages} pages apart"
            );
        }
    }
}

/// Copies on either side of bounds that the rules name, of builds that have the kernels.
#[test]
fn choices_change_at_their_bounds() {
    if ![Level::Avx2, Level::Avx512].into_iter().all(Level::is_built) {
        return;
    }
    let mebibyte = 1 << 20;
    let plan = |text: &str, dtype: Dtype, sizes: &[i64], dst: &[i64], src: &[i64]| {
        let [dst, src] = [dst, src].map(|strides| Side::new(sizes, strides, 0));
        described(dtype.code(), &dst, &src, 0, &machine(text)).0
    };
    let avx512 = |last: i64| format!("level=avx512 first=32768 second=1048576 last={last}");
    let avx2 = "level=avx2 first=32768 second=524288 last=8388608";

    // Channels put into pixels with a gap are not streamed; into pixels without one, as many bytes, they are.
    let channels = |pixel: i64| plan(avx2, Dtype::U8, &[16 * mebibyte, 3], &[pixel, 1], &[1, 16 * mebibyte]);
    for (pixel, streamed) in [(3, true), (4, false)] {
        let plan = channels(pixel);
        assert!(plan.starts_with("interleave3_x8") && plan.contains("streamed") == streamed, "{plan}");
    }
    // Transposes of elements of up to 4 bytes are streamed from the stack, from 3/16 of the last level on; wider ones in
    // strips, from the second level on.
    let bytes = 1000 * 2000 * 8;
    for (more, streamed) in [(0, true), (1, false)] {
        let levels = [
            format!("second=1048576 last={}", 16 * (bytes / 3 + more)),
            format!("second={} last=33554432", bytes + more),
        ];
        let ways = [(Dtype::U32, ", streamed from the stack"), (Dtype::U64, ", streamed along the source")];
        for (levels, (dtype, from)) in levels.into_iter().zip(ways) {
            let rows = 16_000 * 8 / dtype.bits();
            let text = format!("level=avx512 first=32768 {levels}");
            let plan = plan(&text, dtype, &[1000, rows], &[rows, 1], &[1, 1000]);
            assert_eq!(plan.contains(from), streamed, "{plan}");
        }
    }
    // Channels in the other order, with gaps between the pixels: up to two bytes each.
    for (dtype, together) in [(Dtype::U16, true), (Dtype::F32, false)] {
        let plan = plan(avx2, dtype, &[2, 1000], &[1000, 1], &[-1, 5]);
        assert_eq!(plan.starts_with("deinterleave2"), together, "{plan}");
    }
    // Conflicts of rows count from 64 KiB on.
    for (rows, minded) in [(255, false), (256, true)] {
        let plan = plan(&avx512(8 * mebibyte), Dtype::U8, &[rows, 256], &[256, 1], &[1, 4096]);
        assert_eq!(plan.contains(", staged on the stack"), minded, "{plan}");
    }
    // Rows of the destination that begin anywhere are joined from 256 bytes on.
    for (row, joined) in [(255, false), (256, true)] {
        let plan = plan(&avx512(8 * mebibyte), Dtype::U8, &[40_000, row], &[257, 1], &[1, 40_000]);
        assert_eq!(plan.contains("streamed from the stack"), joined, "{plan}");
    }
    // Two by two, in chunks of four: 512 elements and more.
    for (rows, together) in [(127, false), (128, true)] {
        let plan = plan(&avx512(8 * mebibyte), Dtype::U16, &[rows, 2, 2], &[4, 2, 1], &[4, 1, 2]);
        assert_eq!(plan.starts_with("permute"), together, "{plan}");
    }
    // The same with gaps between blocks: of fewer than 16 bytes in rows of 16 elements, of 16 bytes in any, with masks
    // all.
    for (text, dtype, columns, together) in [
        (avx2, Dtype::U16, 3, false),
        (avx2, Dtype::U16, 4, true),
        (avx2, Dtype::U32, 3, true),
        (&avx512(8 * mebibyte), Dtype::U16, 3, true),
    ] {
        let strides = |a, b| [columns * 5 + 1, 5, a, b];
        let plan = plan(text, dtype, &[512, columns, 2, 2], &strides(2, 1), &strides(1, 2));
        assert_eq!(plan.starts_with("permute"), together, "{columns} of {dtype:?}: {plan}");
    }
}

/// A plan that is given no machine is for this one; small copies fit caches of any size.
#[test]
fn no_machine_is_this_machine() {
    let mut this = oracle::zeroed();
    // SAFETY: a struct.
    assert_eq!(unsafe { stride_machine_init(&mut this) }, 0);
    let mut large = 0;
    for case in cases::up_to(usize::MAX) {
        let [dst, src] = [&case.dst, &case.src].map(|strides| Side::new(&case.sizes, strides, 0));
        let bytes = case.sizes.iter().product::<i64>() * case.width as i64;
        if bytes >= 1 << 14 {
            let [given, none] = [&this as *const _, null()].map(|machine| {
                planned(bytes_dtype(case.width), &dst, &src, &stride_copy_options { machine, ..DEFAULTS })
            });
            assert_eq!(given, none, "{}", case.name);
            large += 1;
        }
    }
    assert!(large > 100, "{large}");
}

/// A plan for instruction sets that this build has not is one for those of that architecture that it has.
#[test]
fn plans_for_another_architecture_are_portable() {
    if Level::Neon.is_built() {
        return;
    }
    let caches = "first=32768 second=1048576 last=33554432";
    let [neon, portable] = ["neon", "scalar"].map(|level| machine(&format!("level={level} {caches}")));
    for case in cases::up_to(1 << 20) {
        let [dst, src] = [&case.dst, &case.src].map(|strides| Side::new(&case.sizes, strides, 0));
        let [neon, portable] =
            [&neon, &portable].map(|machine| described(bytes_dtype(case.width), &dst, &src, 0, machine));
        assert_eq!(neon, portable, "{}", case.name);
    }
}

/// Runs of the same pairs: the loop that is the run, its iterations, the cuts of parts, what coalesces.
#[test]
fn runs_of_any_operands_are_the_pinned_ones() {
    let mut now = String::from("# Sums of the runs of 256 pairs of operands of anybody. Written by `make plans`.\n");
    for group in 0..64 {
        let (mut random, mut sum) = (Random::new(20_261_123 + group), oracle::NO_SUM);
        for _ in 0..256 {
            let (dtype, dst, src) = anybody(&mut random);
            let operands = [dst.layout(dtype), src.layout(dtype)];
            let mut add = |numbers: &[u64]| {
                numbers.iter().for_each(|number| sum = oracle::sum(sum, &number.to_le_bytes()));
            };
            let mut runs = stride_runs { words: [0; 512] };
            let (mut part, mut offsets, mut elements) = (stride_runs { words: [0; 512] }, [0i64; 2], 0);
            let mut joint = operands;
            // SAFETY: structs and lists of this function.
            unsafe {
                let status = stride_layouts_coalesce(2, operands.as_ptr(), joint.as_mut_ptr(), null_mut());
                add(&[status as u64]);
                for layout in joint.iter().filter(|_| status == 0) {
                    let rank = layout.rank as usize;
                    layout.sizes[..rank]
                        .iter()
                        .chain(&layout.strides[..rank])
                        .for_each(|&number| add(&[number as u64]));
                }
                let status = stride_runs_init(&mut runs, 2, operands.as_ptr(), null_mut());
                add(&[status as u64]);
                for (at, parts) in [(0, 2), (1, 2), (3, 7), (40, 64)].into_iter().filter(|_| status == 0) {
                    assert_eq!(stride_runs_part(&runs, at, parts, &mut part, null_mut()), 0);
                    let status = stride_runs_next(&mut part, 2, offsets.as_mut_ptr(), &mut elements, null_mut());
                    add(&[status as u64, offsets[0] as u64, offsets[1] as u64, elements]);
                }
                for _ in (0..3).filter(|_| status == 0) {
                    add(&[stride_runs_next(&mut runs, 2, offsets.as_mut_ptr(), &mut elements, null_mut()) as u64]);
                    add(&[offsets[0] as u64, offsets[1] as u64, elements]);
                }
            }
        }
        writeln!(now, "{sum:016x}").unwrap();
    }
    oracle::pinned("plans/runs.txt", "STRIDE_WRITE_PLANS", &now, |_| String::new());
}

/// The rows of a table in docs/ENGINE.md that the documentation of functions has after `name: `, each with its
/// function: the first sentence, and the items of these titles. `{NAME}` becomes the number of that name.
fn rows(source: &str, name: &str, titles: &[&str]) -> Vec<(String, String)> {
    let row = |said: &str| {
        let mut cells = vec![String::new(); titles.len() + 1];
        let mut at = 0;
        for line in format!("///   {said}").lines().map_while(|line| line.strip_prefix("/// ")) {
            let text = match line.strip_prefix("- ") {
                Some(item) => {
                    let (title, text) = item.split_once(": ").unwrap();
                    at = 1 + titles.iter().position(|&known| known == title).unwrap_or_else(|| panic!("{line}"));
                    text
                }
                None => line.strip_prefix("  ").unwrap_or_else(|| panic!("{line}")),
            };
            cells[at] = format!("{} {text}", cells[at]);
        }
        let (_, code) = said.split_once("fn ").unwrap();
        let (function, _) = code.split_once('(').unwrap();
        let cells: String = cells.iter().map(|cell| format!("|{} ", with_numbers(cell))).collect();
        (function.to_owned(), format!("{cells}|\n"))
    };
    source.split(&format!("/// {name}: ")).skip(1).map(row).collect()
}

/// A text with the number of each constant that it has in braces, `{NAME}` or `{NAME * 4}`.
fn with_numbers(text: &str) -> String {
    let mut parts = text.split('{');
    let mut all = parts.next().unwrap().to_owned();
    for part in parts {
        let (expression, rest) = part.split_once('}').unwrap();
        let number = number(expression);
        let thousands = if number < 1000 { String::new() } else { format!("{},", number / 1000) };
        let digits = if number < 1000 { 0 } else { 3 };
        all = format!("{all}{thousands}{:0digits$}{rest}", number % 1000);
    }
    all
}

/// The value of constants of `numbers.rs`, or of the kernels, and of what they are divided or multiplied by.
fn number(expression: &str) -> i64 {
    let known = [
        ("kernels::LINE", kernels::LINE as i64),
        ("WIDEST_CHUNK", kernels::WIDEST_CHUNK as i64),
        ("WIDEST_ELEMENT", kernels::WIDEST_ELEMENT),
        ("WIDEST_REPEATED", kernels::WIDEST_REPEATED),
        ("WIDEST_SPACED", kernels::WIDEST_SPACED),
    ];
    let value = |word: &str| {
        let found = known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        found.or(word.parse().ok()).unwrap_or_else(|| {
            let (_, after) = NUMBERS.split_once(&format!("const {word}: ")).unwrap_or_else(|| panic!("no {word}"));
            number(after.split_once(';').unwrap().0.split_once("= ").unwrap().1)
        })
    };
    let words: Vec<_> = expression.split(' ').collect();
    words[1..].chunks(2).fold(value(words[0]), |left, words| match words[0] {
        "*" => left * value(words[1]),
        "/" => left / value(words[1]),
        "<<" => left << value(words[1]),
        _ => left, // `as`, a type
    })
}

/// The functions that a table names stand in its order.
fn stand_in_order(source: &str, table: &str) {
    let (_, rest) = source.split_once(&format!("const {table}")).unwrap();
    let (row, functions) = rest.split_once("];\n").unwrap();
    let (_, row) = row.rsplit_once('[').unwrap();
    let place = |name: &str| functions.find(&format!("\nfn {}(", name.trim())).unwrap();
    assert!(row.split(',').map(place).is_sorted(), "{row}");
}

/// The tables in docs/ENGINE.md are what the rules and the orders say of themselves.
#[test]
fn the_page_has_the_rules_and_the_orders() {
    let rules = include_str!("../src/copy/choose/rules.rs");
    let orders = include_str!("../src/copy/choose/order.rs");
    stand_in_order(rules, "RULES");
    stand_in_order(orders, "ORDERS");
    let titles = ["Takes", "Limits", "Not"];
    let listed = rows(rules, "Rule", &titles);
    let last = listed.iter().position(|(function, _)| function == "spaced").unwrap();
    let (listed, last) = listed.split_at(last);
    let chunks = rows(include_str!("../src/copy/choose/chunks.rs"), "Rule", &titles);
    let transposed = rows(include_str!("../src/copy/choose/transposed.rs"), "Rule", &titles);
    let rules = [&chunks, listed, &transposed, last].concat();
    let orders = rows(orders, "Order", &["Takes", "Limits", "Not", "Why"]);
    assert!(rules.len() == 11 && orders.len() == 3, "{rules:?} {orders:?}");

    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ENGINE.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let mut new = text.clone();
    for (name, head, rows) in [
        ("rules", "| family | what it takes | limits | not when |\n|---|---|---|---|\n", rules),
        ("orders", "| order | copies | limits | not when | why |\n|---|---|---|---|---|\n", orders),
    ] {
        let [begin, end] = [format!("<!-- {name}: `make plans` -->\n"), format!("<!-- /{name} -->")];
        let (before, rest) = new.split_once(&begin).unwrap();
        let (_, after) = rest.split_once(&end).unwrap();
        let table: String = rows.iter().map(|(_, row)| row.as_str()).collect();
        new = format!("{before}{begin}\n{head}{table}\n{end}{after}");
    }
    if std::env::var_os("STRIDE_WRITE_PLANS").is_some() {
        std::fs::write(&page, new).unwrap();
        return;
    }
    assert_eq!(text, new, "`make plans` writes what the rules and the orders say now");
}

/// No size is idle: each that a machine names steers a named copy.
#[test]
fn every_size_steers_a_plan() {
    if !Level::Avx512.is_built() {
        return;
    }
    for name in Tuning::NAMES {
        let [early, never] = [1u64, 1 << 62]
            .map(|size| machine(&format!("level=avx512 first=32768 second=1048576 last=33554432 {name}={size}")));
        let steered = cases::up_to(usize::MAX).into_iter().filter(|case| {
            let [dst, src] = [&case.dst, &case.src].map(|strides| Side::new(&case.sizes, strides, 0));
            let plan = |machine| described(bytes_dtype(case.width), &dst, &src, 0, machine);
            plan(&early) != plan(&never)
        });
        let steered = steered.count();
        assert!(steered >= 5, "{name}: {steered} copies");
    }
}
