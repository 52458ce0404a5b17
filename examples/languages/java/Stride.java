import com.sun.jna.Native;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * libstride for Java: layouts of tensors, copies between them, plans on an executor's threads.
 *
 * <p>Copies take direct byte buffers, from position to limit. They are in this machine's byte order: with elements of
 * several bytes, set {@code order(ByteOrder.nativeOrder())}. Arrays of the heap are refused, because JNA copies them in
 * and out, and threads that do so lose each other's bytes. {@link StrideC} is the C library as it is.
 */
public final class Stride {
    private Stride() {}

    /** The library's version, as "0.1.0". */
    public static String version() {
        int number = StrideC.C.stride_version();
        return number / 10000 + "." + number / 100 % 100 + "." + number % 100;
    }

    /** An error of the library. The message is its word for the status, and its sentence. */
    public static final class StrideException extends RuntimeException {
        /** One of StrideC.STRIDE_STATUS_... */
        public final int status;
        /** Such as "OUT_OF_BOUNDS". */
        public final String statusName;
        /** Names the argument, the place and both numbers. */
        public final String sentence;

        StrideException(int status, String statusName, String sentence) {
            super(statusName + ": " + sentence);
            this.status = status;
            this.statusName = statusName;
            this.sentence = sentence;
        }
    }

    /** Indices along a dimension: first, first + step, ...; count of them. First -1 of a source is the fill value. */
    public static final class Run {
        final long[] numbers;

        public Run(long first, long step, long count) {
            numbers = new long[] {first, step, count};
        }

        /** A run for each index. */
        public static Run[] list(long... indices) {
            return Arrays.stream(indices).mapToObj(index -> new Run(index, 1, 1)).toArray(Run[]::new);
        }
    }

    /** One side of a copy: a layout, seen plain, through runs, or as a range. It never changes. */
    public static class Side {
        final StrideC.stride_side side = new StrideC.stride_side();
        /** C has only the addresses of the layout and the runs: this is what keeps their memory. */
        private final List<Object> borrowed = new ArrayList<>();

        private Side() {}

        /** Sees the indices along one more dimension through runs, one after the other. */
        public Side runs(int dimension, Run... runs) {
            StrideC.stride_index_run list = new StrideC.stride_index_run(Math.max(runs.length, 1));
            for (int k = 0; k < runs.length; k++) list.write(24L * k, runs[k].numbers, 0, 3);
            return seen(list, (to, error) -> StrideC.C.stride_side_set_runs(to, dimension, runs.length, list, error));
        }

        /** Sees {@code count} elements from number {@code first} on in row-major order, as one dimension. */
        public Side range(long first, long count) {
            return seen(null, (to, error) -> StrideC.C.stride_side_set_range(to, first, count, error));
        }

        private interface Setter {
            int call(StrideC.stride_side to, StrideC.stride_error error);
        }

        private Side seen(StrideC.stride_index_run runs, Setter setter) {
            Side other = new Side();
            other.side.write(0, side.getByteArray(0, (int) side.size()), 0, (int) side.size());
            other.borrowed.add(this);
            other.borrowed.add(runs);
            check(error -> setter.call(other.side, error));
            return other;
        }
    }

    /** Says where each element of a tensor lies. It never changes, so threads may share it. */
    public static final class Layout extends Side {
        final StrideC.stride_layout c = new StrideC.stride_layout();

        private Layout() {
            check(error -> StrideC.C.stride_side_init(side, StrideC.STRIDE_SIDE_LAYOUT, c.getByteBuffer(0, c.size()),
                error));
        }

        private int rank() {
            return c.getInt(StrideC.stride_layout.rank);
        }

        /** Row-major without gaps. {@code dtype} is one of StrideC.STRIDE_DTYPE_... */
        public static Layout packed(int dtype, long... sizes) {
            return strided(dtype, sizes, null);
        }

        /** Any strides, in elements; null: packed. */
        public static Layout strided(int dtype, long[] sizes, long[] strides) {
            if (strides != null) checkCount(StrideC.STRIDE_ARGUMENT_STRIDES, strides.length, sizes.length);
            return made((out, error) -> StrideC.C.stride_layout_init(out, dtype, sizes.length, sizes, strides, error));
        }

        /** The box of these sizes that begins at {@code starts}. */
        public Layout crop(long[] starts, long[] sizes) {
            checkCount(StrideC.STRIDE_ARGUMENT_STARTS, starts.length, rank());
            checkCount(StrideC.STRIDE_ARGUMENT_SIZES, sizes.length, rank());
            return made((out, error) -> StrideC.C.stride_layout_crop(c, rank(), starts, sizes, out, error));
        }

        /** Mirrors these dimensions. */
        public Layout flip(long... axes) {
            return made((out, error) -> StrideC.C.stride_layout_flip(c, axes.length, axes, out, error));
        }

        /** Dimension i of the view is dimension axes[i]. */
        public Layout permute(long... axes) {
            return made((out, error) -> StrideC.C.stride_layout_permute(c, axes.length, axes, out, error));
        }

        /** The bytes that the buffer must have. */
        public long minBytes() {
            long[] bytes = new long[1];
            check(error -> StrideC.C.stride_layout_min_bytes(c, bytes, error));
            return bytes[0];
        }

        /** Such as "f32[2,3] strides [3,1] offset 0". */
        @Override
        public String toString() {
            byte[] text = new byte[64 + 48 * rank()];
            check(error -> StrideC.C.stride_layout_format(c, text, text.length, null, error));
            return Native.toString(text);
        }

        private interface View {
            int call(StrideC.stride_layout out, StrideC.stride_error error);
        }

        private static Layout made(View view) {
            Layout out = new Layout();
            check(error -> view.call(out.c, error));
            return out;
        }
    }

    /** The conversion of each number. {@code flags} are any of StrideC.STRIDE_CONVERT_... It never changes. */
    public static final class Conversion {
        final StrideC.stride_conversion c = new StrideC.stride_conversion();

        private Conversion(int affine, double subtract, double scale, double add, int[] flags) {
            StrideC.C.stride_conversion_init(c);
            c.setInt(StrideC.stride_conversion.flags, Arrays.stream(flags).reduce(affine, (all, flag) -> all | flag));
            c.write(StrideC.stride_conversion.subtract, new double[] {subtract, scale, add}, 0, 3);
        }

        /** The plain value. */
        public static Conversion plain(int... flags) {
            return new Conversion(0, 0, 1, 0, flags);
        }

        /** (x - subtract) * scale + add. */
        public static Conversion affine(double subtract, double scale, double add, int... flags) {
            return new Conversion(StrideC.STRIDE_CONVERT_AFFINE, subtract, scale, add, flags);
        }
    }

    /**
     * Moves every element of {@code src} to the element of {@code dst} with the same index. {@code fill} has up to 16
     * bytes of the fill value.
     */
    public static void copy(Side dstSide, ByteBuffer dst, Side srcSide, ByteBuffer src, byte... fill) {
        copy(dstSide, dst, srcSide, src, null, fill);
    }

    /** Moves and converts: the layouts may have any dtypes. */
    public static void copy(Side dstSide, ByteBuffer dst, Side srcSide, ByteBuffer src, Conversion conversion,
            byte... fill) {
        ByteBuffer to = written(dst), from = direct(src);
        StrideC.stride_copy_options options = options(conversion, fill);
        check(error -> StrideC.C.stride_copy_sides(dstSide.side, to, to.capacity(), srcSide.side, from,
            from.capacity(), options, error));
        Reference.reachabilityFence(dstSide);
        Reference.reachabilityFence(srcSide);
        Reference.reachabilityFence(conversion);
    }

    private static StrideC.stride_copy_options options(Conversion conversion, byte[] fill) {
        StrideC.stride_copy_options options = new StrideC.stride_copy_options();
        options.clear();
        options.setInt(StrideC.stride_copy_options.struct_size, (int) options.size());
        options.write(StrideC.stride_copy_options.fill, fill, 0, Math.min(fill.length, 16));
        options.setPointer(StrideC.stride_copy_options.conversion, conversion == null ? null : conversion.c);
        return options;
    }

    /** A copy prepared once. It holds no address; threads may share it. */
    public static final class Plan {
        private final StrideC.stride_plan c = new StrideC.stride_plan();

        /** Prepares what {@link #copy} does. */
        public Plan(Side dst, Side src, byte... fill) {
            this(dst, src, null, fill);
        }

        /** Prepares a copy that converts. */
        public Plan(Side dst, Side src, Conversion conversion, byte... fill) {
            StrideC.stride_copy_options options = options(conversion, fill);
            check(error -> StrideC.C.stride_plan_init_sides(c, dst.side, src.side, options, error));
            Reference.reachabilityFence(dst);
            Reference.reachabilityFence(src);
            Reference.reachabilityFence(conversion);
        }

        /** Runs the plan. */
        public void execute(ByteBuffer dst, ByteBuffer src) {
            executePart(written(dst), direct(src), 0, 1);
        }

        /** Runs the plan in parts on the threads of a pool, and returns when all have ended. */
        public void execute(ByteBuffer dst, ByteBuffer src, int parts, ExecutorService pool)
                throws InterruptedException {
            ByteBuffer to = written(dst), from = direct(src);
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int k = 0; k < Math.max(parts, 1); k++) {
                int part = k;
                tasks.add(() -> executePart(to, from, part, Math.max(parts, 0)));
            }
            for (Future<Void> task : pool.invokeAll(tasks)) {
                try {
                    task.get();
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof StrideException) throw (StrideException) failed.getCause();
                    throw new IllegalStateException(failed.getCause());
                }
            }
        }

        private Void executePart(ByteBuffer dst, ByteBuffer src, int part, int parts) {
            check(error -> StrideC.C.stride_plan_execute_part(c, dst, dst.capacity(), src, src.capacity(), part, parts,
                error));
            return null;
        }
    }

    private static ByteBuffer direct(ByteBuffer buffer) {
        if (!buffer.isDirect()) throw new IllegalArgumentException("the buffer is not direct");
        return buffer.slice();
    }

    private static ByteBuffer written(ByteBuffer buffer) {
        if (buffer.isReadOnly()) throw new ReadOnlyBufferException();
        return direct(buffer);
    }

    private interface Call {
        int call(StrideC.stride_error error);
    }

    private static void check(Call call) {
        StrideC.stride_error error = new StrideC.stride_error();
        int status = call.call(error);
        if (status != StrideC.STRIDE_STATUS_OK) throw exception(status, error);
    }

    private static StrideException exception(int status, StrideC.stride_error error) {
        byte[] sentence = new byte[512];
        StrideC.C.stride_error_format(error, sentence, sentence.length, null, null);
        return new StrideException(status, StrideC.C.stride_status_name(status), Native.toString(sentence));
    }

    /** For lists of which C takes one number only: the error that C would give if it took two. */
    private static void checkCount(int argument, int given, int needed) {
        if (given == needed) return;
        StrideC.stride_error error = new StrideC.stride_error();
        error.clear();
        error.setInt(StrideC.stride_error.status, StrideC.STRIDE_STATUS_INVALID_RANK);
        error.setInt(StrideC.stride_error.argument, argument);
        error.setInt(StrideC.stride_error.dimension, -1);
        error.setInt(StrideC.stride_error.item, -1);
        error.setLong(StrideC.stride_error.position, -1);
        error.setLong(StrideC.stride_error.lhs, given);
        error.setLong(StrideC.stride_error.rhs, needed);
        error.setLong(StrideC.stride_error.detail, StrideC.STRIDE_DETAIL_COUNT);
        throw exception(StrideC.STRIDE_STATUS_INVALID_RANK, error);
    }
}
