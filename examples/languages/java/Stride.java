import com.sun.jna.Native;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
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

    /** What the library says about a call that failed. The message is its word for the status, and its sentence. */
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

    /** Says where each element of a tensor lies. It never changes, so threads may share it. */
    public static final class Layout {
        final StrideC.stride_layout c = new StrideC.stride_layout();

        private Layout() {}

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

    /** Moves every element of {@code src} to the element of {@code dst} with the same index. */
    public static void copy(Layout dstLayout, ByteBuffer dst, Layout srcLayout, ByteBuffer src) {
        ByteBuffer to = written(dst), from = direct(src);
        check(error -> StrideC.C.stride_copy(dstLayout.c, to, to.capacity(), srcLayout.c, from, from.capacity(), null,
            error));
    }

    /** A copy prepared once. It holds no address; threads may share it. */
    public static final class Plan {
        private final StrideC.stride_plan c = new StrideC.stride_plan();

        /** Prepares what {@link #copy} does. */
        public Plan(Layout dst, Layout src) {
            check(error -> StrideC.C.stride_plan_init(c, dst.c, src.c, null, error));
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
