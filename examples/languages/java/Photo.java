import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.Adler32;

/**
 * The centre of a photograph, mirrored, as planes, with rows of 256 bytes, and back; as pixels for a screen;
 * a piece; as numbers for a network: Photo chelsea.ppm.
 */
class Photo {
    final int height, width;
    final ByteBuffer pixels;

    /** A binary PPM without comments: "P6", width, height and 255, one white space after each, then pixels. */
    Photo(Path path) throws IOException {
        byte[] file = Files.readAllBytes(path);
        String[] words = new String[4];
        int at = 0;
        for (int word = 0; word < 4; word++) {
            int start = at;
            while (at < file.length && file[at] > ' ') at++;
            words[word] = new String(file, start, at++ - start);
        }
        if (!words[0].equals("P6") || !words[3].equals("255") || at > file.length)
            throw new IOException(path + " is no P6 picture of bytes");
        width = Integer.parseInt(words[1]);
        height = Integer.parseInt(words[2]);
        pixels = ByteBuffer.allocateDirect(file.length - at).put(file, at, file.length - at).flip();
    }

    static String adler32(ByteBuffer bytes) {
        Adler32 sum = new Adler32();
        sum.update(bytes.duplicate());
        return String.format("%08x", sum.getValue());
    }

    static ByteBuffer memory(Stride.Layout layout) {
        return ByteBuffer.allocateDirect(Math.toIntExact(layout.minBytes()));
    }

    public static void main(String[] args) throws Exception {
        Photo photo = new Photo(Path.of(args[0]));
        int u8 = StrideC.STRIDE_DTYPE_U8, parts = 4;
        System.out.println("libstride " + Stride.version());

        // Views move nothing: only the numbers change that say where a byte lies.
        Stride.Layout centre = Stride.Layout.packed(u8, photo.height, photo.width, 3)
            .crop(new long[] {38, 113, 0}, new long[] {224, 224, 3});
        Stride.Layout view = centre.flip(1).permute(2, 0, 1);
        System.out.println("view " + view);

        Stride.Layout packed = Stride.Layout.packed(u8, 3, 224, 224);
        ByteBuffer planes = memory(packed);
        Stride.copy(packed, planes, view, photo.pixels);
        System.out.println("planes: " + planes.capacity() + " bytes, adler32 " + adler32(planes));

        Stride.Layout rows = Stride.Layout.strided(u8, new long[] {3, 224, 224}, new long[] {57344, 256, 1});
        ByteBuffer padded = memory(rows);
        ExecutorService pool = Executors.newFixedThreadPool(parts);
        try {
            new Stride.Plan(rows, packed).execute(padded, planes, parts, pool);
        } finally {
            pool.shutdown();
        }
        System.out.println("rows of 256 bytes: " + padded.capacity() + " bytes, " + parts + " parts on " + parts
            + " threads, adler32 " + adler32(padded));

        ByteBuffer back = memory(packed);
        Stride.copy(packed, back, rows, padded);
        System.out.println("brought back: adler32 " + adler32(back));

        // As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks: the fill value.
        Stride.Layout screen = Stride.Layout.packed(u8, 224, 224, 4).permute(2, 0, 1);
        ByteBuffer bgra = memory(screen);
        Stride.copy(screen, bgra, view.runs(0, Stride.Run.list(2, 1, 0, -1)), photo.pixels, (byte) 255);
        System.out.println("BGRA pixels: " + bgra.capacity() + " bytes, adler32 " + adler32(bgra));

        // The second piece of the planes, through a buffer that is smaller than they are.
        Stride.Layout list = Stride.Layout.packed(u8, 65536);
        ByteBuffer piece = memory(list);
        Stride.copy(list, piece, view.range(65536, 65536), photo.pixels);
        System.out.println("one piece: " + piece.capacity() + " bytes, adler32 " + adler32(piece));

        // As a network takes them: planes of f32 between -1 and 1.
        Stride.Layout input = Stride.Layout.packed(StrideC.STRIDE_DTYPE_F32, 3, 224, 224);
        ByteBuffer numbers = memory(input);
        Stride.copy(input, numbers, view, photo.pixels, Stride.Conversion.affine(127.5, 1 / 128.0, 0));
        System.out.println("normalised planes: " + numbers.capacity() + " bytes of f32, adler32 " + adler32(numbers));

        try {
            Stride.copy(packed, planes.limit(planes.capacity() - 1), view, photo.pixels);
        } catch (Stride.StrideException error) {
            System.out.println(error.getMessage());
        }
        try {
            centre.permute(2, 0);
        } catch (Stride.StrideException error) {
            System.out.println(error.getMessage());
        }
    }
}
