// photo: the centre of a photograph, mirrored, as planes, with rows of 256 bytes, and back; as pixels for a screen;
// a piece; as numbers for a network.
//
//	photo chelsea.ppm
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"os"

	"photo/stride"
)

// must stops the program with the error: the way of a program of one page.
func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "photo:", err)
		os.Exit(1)
	}
}

// readPPM takes a binary PPM without comments: "P6", width, height and 255, one white space after each, then pixels.
func readPPM(path string) (height, width int64, pixels []byte, err error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, nil, err
	}
	var magic string
	var depth int
	_, err = fmt.Sscan(string(file), &magic, &width, &height, &depth)
	if err != nil || magic != "P6" || depth != 255 {
		return 0, 0, nil, errors.New(path + " is no P6 picture of bytes")
	}
	header := len(fmt.Sprintf("%s %d %d %d ", magic, width, height, depth))
	if len(file) < header {
		return 0, 0, nil, errors.New(path + " has no pixels")
	}
	return height, width, file[header:], nil
}

func main() {
	if len(os.Args) != 2 {
		check(errors.New("usage: photo PICTURE.ppm"))
	}
	height, width, photo, err := readPPM(os.Args[1])
	check(err)
	fmt.Println("libstride", stride.Version())

	// Views move nothing: only the numbers change that say where a byte lies.
	pixels := must(stride.Packed(stride.U8, height, width, 3))
	centre := must(pixels.Crop([]int64{38, 113, 0}, []int64{224, 224, 3}))
	mirrored := must(centre.Flip(1))
	view := must(mirrored.Permute(2, 0, 1))
	fmt.Println("view", view)

	packed := must(stride.Packed(stride.U8, 3, 224, 224))
	planes := make([]byte, must(packed.MinBytes()))
	check(stride.Copy(packed, planes, view, photo))
	fmt.Printf("planes: %d bytes, adler32 %08x\n", len(planes), adler32.Checksum(planes))

	const parts = 4
	rows := must(stride.Strided(stride.U8, []int64{3, 224, 224}, []int64{57344, 256, 1}))
	padded := make([]byte, must(rows.MinBytes()))
	plan := must(stride.NewPlan(rows, packed))
	check(stride.Execute(plan, padded, planes, parts))
	fmt.Printf("rows of 256 bytes: %d bytes, %d parts on %d threads, adler32 %08x\n", len(padded), parts, parts,
		adler32.Checksum(padded))

	back := make([]byte, len(planes))
	check(stride.Copy(packed, back, rows, padded))
	fmt.Printf("brought back: adler32 %08x\n", adler32.Checksum(back))

	// As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks, which is the fill value.
	screen := must(must(stride.Packed(stride.U8, 224, 224, 4)).Permute(2, 0, 1))
	bgra := make([]byte, must(screen.MinBytes()))
	check(stride.Copy(screen, bgra, view.Runs(0, stride.List(2, 1, 0, -1)...), photo, 255))
	fmt.Printf("BGRA pixels: %d bytes, adler32 %08x\n", len(bgra), adler32.Checksum(bgra))

	// The second piece of the planes, through a buffer that is smaller than they are.
	piece := make([]byte, 65536)
	check(stride.Copy(nil, piece, must(view.Range(65536, 65536)), photo))
	fmt.Printf("one piece: %d bytes, adler32 %08x\n", len(piece), adler32.Checksum(piece))

	// As a network takes them: planes of f32 between -1 and 1.
	input := must(stride.Packed(stride.F32, 3, 224, 224))
	numbers := make([]float32, 3*224*224)
	check(stride.Convert(input, numbers, view, photo, stride.Affine(127.5, 1.0/128, 0)))
	sum := adler32.New()
	check(binary.Write(sum, binary.LittleEndian, numbers))
	fmt.Printf("normalised planes: %d bytes of f32, adler32 %08x\n", binary.Size(numbers), sum.Sum32())

	if err := stride.Copy(packed, planes[:len(planes)-1], view, photo); errors.Is(err, stride.OutOfBounds) {
		fmt.Println(err)
	}
	if _, err := centre.Permute(2, 0); errors.Is(err, stride.InvalidRank) {
		fmt.Println(err)
	}
}
