//! Layouts, views, copies, threads and your own loop, from Rust: `cargo run --example quickstart`.

use stride::{Dtype, LayoutBuf, Plan, Result, copy, first_difference, runs, slice_len};

fn main() -> Result<()> {
    // An image of 480 x 640 pixels with three channels, as a camera gives it: one byte after the other, HWC.
    let image = LayoutBuf::packed(Dtype::U8, &[480, 640, 3])?;
    let pixels: Vec<u8> = (0..image.element_count()).map(|k| (k % 251) as u8).collect();

    // Its centre, mirrored, channels first: three views, no byte moves. The last line is what a network wants.
    let centre = image.crop(&[120, 160, 0], &[240, 320, 3])?.flip(&[1])?.permute(&[2, 0, 1])?;
    let planes = LayoutBuf::packed(Dtype::U8, &[3, 240, 320])?;
    println!("view    {centre}\nwanted  {planes}");

    // One call moves it.
    let mut input = vec![0; slice_len::<u8>(&planes)?];
    copy(&mut input, &planes, &pixels, &centre)?;
    assert_eq!(first_difference(&input, &planes, &pixels, &centre)?, None);

    // The next frames: the plan is made once, and its parts may go to any threads.
    let plan = Plan::<u8>::new(&planes, &centre)?;
    println!("plan    {plan}");
    let mut again = vec![0; input.len()];
    std::thread::scope(|threads| -> Result<()> {
        for part in plan.parts(&mut again, &pixels, 2)? {
            threads.spawn(move || part.run());
        }
        Ok(())
    })?;
    assert_eq!(again, input);

    // Your own loop over both: as few loops as there can be, wherever the elements lie.
    let mut sum = 0u64;
    for run in runs::over([&centre, &planes])? {
        sum += run.map(|[at, to]| u64::from(pixels[at]) * u64::from(input[to])).sum::<u64>();
    }
    println!("sum of squares {sum}");

    // A mistake is an error that says which argument, which dimension, and both numbers.
    let error = copy(&mut input, &planes, &pixels, &image).unwrap_err();
    println!("error   {error}");
    assert_eq!(error.to_string(), "src_layout, dimension 0: size is 480, but it is 3 in dst_layout");
    Ok(())
}
