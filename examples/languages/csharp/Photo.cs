// The centre of a photograph, mirrored, as planes, with rows of 256 bytes, and back; as pixels for a screen;
// a piece; as numbers for a network: Photo chelsea.ppm
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using Stride;

static class Photo {
    // A binary PPM without comments: "P6", width, height and 255, one white space after each, then pixels.
    static byte[] ReadPpm(string path, out long height, out long width) {
        byte[] file = File.ReadAllBytes(path);
        var words = new string[4];
        int at = 0;
        for (int word = 0; word < 4; word++) {
            int start = at;
            while (at < file.Length && file[at] > ' ') at++;
            words[word] = Encoding.ASCII.GetString(file, start, at++ - start);
        }
        if (words[0] != "P6" || words[3] != "255") throw new InvalidDataException(path + " is no P6 picture of bytes");
        width = long.Parse(words[1]);
        height = long.Parse(words[2]);
        return file.AsSpan(at).ToArray();
    }

    // The checksum of zlib.
    static string Adler32(ReadOnlySpan<byte> bytes) {
        uint low = 1, high = 0;
        foreach (byte value in bytes) {
            low = (low + value) % 65521;
            high = (high + low) % 65521;
        }
        return (high << 16 | low).ToString("x8");
    }

    static void Main(string[] arguments) {
        const int parts = 4;
        long height, width;
        byte[] photo = ReadPpm(arguments[0], out height, out width);
        Console.WriteLine("libstride " + Library.Version);

        // Views move nothing: only the numbers change that say where a byte lies.
        Layout centre = Layout.Packed(Dtype.U8, height, width, 3)
            .Crop(new long[] { 38, 113, 0 }, new long[] { 224, 224, 3 });
        Layout view = centre.Flip(1).Permute(2, 0, 1);
        Console.WriteLine("view " + view);

        Layout packed = Layout.Packed(Dtype.U8, 3, 224, 224);
        var planes = new byte[packed.MinBytes];
        Library.Copy(packed, planes, view, photo);
        Console.WriteLine("planes: {0} bytes, adler32 {1}", planes.Length, Adler32(planes));

        Layout rows = Layout.Strided(Dtype.U8, new long[] { 3, 224, 224 }, new long[] { 57344, 256, 1 });
        var padded = new byte[rows.MinBytes];
        new Plan(rows, packed).Execute(padded, planes, parts);
        Console.WriteLine("rows of 256 bytes: {0} bytes, {1} parts on {1} threads, adler32 {2}", padded.Length, parts,
            Adler32(padded));

        var back = new byte[packed.MinBytes];
        Library.Copy(packed, back, rows, padded);
        Console.WriteLine("brought back: adler32 " + Adler32(back));

        // As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks: the fill value.
        Layout screen = Layout.Packed(Dtype.U8, 224, 224, 4).Permute(2, 0, 1);
        var bgra = new byte[screen.MinBytes];
        Library.Copy(screen, bgra, view.Runs(0, 2, 1, 0, -1), photo, new byte[] { 255 });
        Console.WriteLine("BGRA pixels: {0} bytes, adler32 {1}", bgra.Length, Adler32(bgra));

        // The second piece of the planes, through a buffer that is smaller than they are.
        var piece = new byte[65536];
        Library.Copy(Layout.Packed(Dtype.U8, 65536), piece, view.Range(65536, 65536), photo);
        Console.WriteLine("one piece: {0} bytes, adler32 {1}", piece.Length, Adler32(piece));

        // As a network takes them: planes of f32 between -1 and 1.
        var numbers = new float[3 * 224 * 224];
        Span<byte> input = MemoryMarshal.AsBytes(numbers.AsSpan());
        Library.Copy(Layout.Packed(Dtype.F32, 3, 224, 224), input, view, photo,
            conversion: new Conversion(subtract: 127.5, scale: 1 / 128.0));
        Console.WriteLine("normalised planes: {0} bytes of f32, adler32 {1}", input.Length, Adler32(input));

        try {
            Library.Copy(packed, planes.AsSpan(0, planes.Length - 1), view, photo);
        } catch (StrideException error) {
            Console.WriteLine(error.Message);
        }
        try {
            centre.Permute(2, 0);
        } catch (StrideException error) {
            Console.WriteLine(error.Message);
        }
    }
}
