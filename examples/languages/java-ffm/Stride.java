import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * libstride for Java 22 and later: layouts of tensors, copies between them, plans on an executor's threads.
 *
 * <p>Copies take native memory segments. For a plan in parts, their arena must be shared, automatic or global: a
 * confined arena's memory belongs to one thread. {@link StrideC} is the C library as it is.
 */
public final class Stride {
    private Stride() {}

    /** The library's version, as "0.1.0". */
    public static String version() {
        int number = StrideC.stride_version();
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
    public record Run(long first, long step, long count) {
        /** A run for each index. */
        public static Run[] list(long... indices) {
            return Arrays.stream(indices).mapToObj(index -> new Run(index, 1, 1)).toArray(Run[]::new);
        }
    }

    /** One side of a copy: a layout, seen plain, through runs, or as a range. It never changes. */
    public static class Side {
        final MemorySegment side = Arena.ofAuto().allocate(StrideC.stride_side);
        /** C has only the addresses of the layout and the runs: this is what keeps their memory. */
        private final List<Object> borrowed = new ArrayList<>();

        private Side() {}

        /** Sees the indices along one more dimension through runs, one after the other. */
        public Side runs(int dimension, Run... runs) {
            MemorySegment list = Arena.ofAuto().allocateFrom(JAVA_LONG,
                Arrays.stream(runs).flatMapToLong(r -> LongStream.of(r.first, r.step, r.count)).toArray());
            return seen(list, (to, e) -> StrideC.stride_side_set_runs(to, dimension, runs.length, list, e));
        }

        /** Sees {@code count} elements from number {@code first} on in row-major order, as one dimension. */
        public Side range(long first, long count) {
            return seen(NULL, (to, error) -> StrideC.stride_side_set_range(to, first, count, error));
        }

        private Side seen(MemorySegment runs, View setter) {
            Side other = new Side();
            other.side.copyFrom(side);
            other.borrowed.add(this);
            other.borrowed.add(runs);
            try (Arena arena = Arena.ofConfined()) {
                check(arena, error -> setter.call(other.side, error));
            }
            return other;
        }
    }

    private interface View {
        int call(MemorySegment out, MemorySegment error);
    }

    /** Says where each element of a tensor lies. It never changes, so threads may share it. */
    public static final class Layout extends Side {
        private static final long RANK = offset(StrideC.stride_layout, "rank");
        final MemorySegment c = Arena.ofAuto().allocate(StrideC.stride_layout);

        private Layout(Arena arena, View view) {
            check(arena, error -> view.call(c, error));
            check(arena, error -> StrideC.stride_side_init(side, StrideC.STRIDE_SIDE_LAYOUT, c, error));
        }

        /** Row-major without gaps. {@code dtype} is one of StrideC.STRIDE_DTYPE_... */
        public static Layout packed(int dtype, long... sizes) {
            return strided(dtype, sizes, null);
        }

        /** Any strides, in elements; null: packed. */
        public static Layout strided(int dtype, long[] sizes, long[] strides) {
            if (strides != null) checkCount(StrideC.STRIDE_ARGUMENT_STRIDES, strides.length, sizes.length);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment s = list(arena, sizes), t = strides == null ? NULL : list(arena, strides);
                return new Layout(arena, (out, e) -> StrideC.stride_layout_init(out, dtype, sizes.length, s, t, e));
            }
        }

        /** The box of these sizes that begins at {@code starts}. */
        public Layout crop(long[] starts, long[] sizes) {
            checkCount(StrideC.STRIDE_ARGUMENT_STARTS, starts.length, rank());
            checkCount(StrideC.STRIDE_ARGUMENT_SIZES, sizes.length, rank());
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment s = list(arena, starts), t = list(arena, sizes);
                return new Layout(arena, (out, e) -> StrideC.stride_layout_crop(c, rank(), s, t, out, e));
            }
        }

        /** Mirrors these dimensions. */
        public Layout flip(long... axes) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment a = list(arena, axes);
                return new Layout(arena, (out, e) -> StrideC.stride_layout_flip(c, axes.length, a, out, e));
            }
        }

        /** Dimension i of the view is dimension axes[i]. */
        public Layout permute(long... axes) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment a = list(arena, axes);
                return new Layout(arena, (out, e) -> StrideC.stride_layout_permute(c, axes.length, a, out, e));
            }
        }

        /** The bytes that the memory must have. */
        public long minBytes() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(JAVA_LONG);
                check(arena, error -> StrideC.stride_layout_min_bytes(c, bytes, error));
                return bytes.get(JAVA_LONG, 0);
            }
        }

        /** Such as "f32[2,3] strides [3,1] offset 0". */
        @Override
        public String toString() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment text = arena.allocate(64 + 48 * rank());
                check(arena, error -> StrideC.stride_layout_format(c, text, text.byteSize(), NULL, error));
                return text.getString(0);
            }
        }

        private int rank() {
            return c.get(ValueLayout.JAVA_INT, RANK);
        }
    }

    /** The conversion of each number. {@code flags} are any of StrideC.STRIDE_CONVERT_... It never changes. */
    public static final class Conversion {
        final MemorySegment c = Arena.ofAuto().allocate(StrideC.stride_conversion);

        private Conversion(int affine, double subtract, double scale, double add, int[] flags) {
            StrideC.stride_conversion_init(c);
            c.set(ValueLayout.JAVA_INT, offset(StrideC.stride_conversion, "flags"),
                Arrays.stream(flags).reduce(affine, (all, flag) -> all | flag));
            double[] numbers = {subtract, scale, add};
            long at = offset(StrideC.stride_conversion, "subtract");
            MemorySegment.copy(numbers, 0, c, ValueLayout.JAVA_DOUBLE, at, 3);
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
    public static void copy(Side dstSide, MemorySegment dst, Side srcSide, MemorySegment src, byte... fill) {
        copy(dstSide, dst, srcSide, src, null, fill);
    }

    /** Moves and converts: the layouts may have any dtypes. */
    public static void copy(Side dstSide, MemorySegment dst, Side srcSide, MemorySegment src, Conversion conversion,
            byte... fill) {
        checkWritable(dst);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment options = options(arena, conversion, fill);
            check(arena, error -> StrideC.stride_copy_sides(dstSide.side, dst, dst.byteSize(), srcSide.side, src,
                src.byteSize(), options, error));
        }
        Reference.reachabilityFence(dstSide);
        Reference.reachabilityFence(srcSide);
        Reference.reachabilityFence(conversion);
    }

    private static MemorySegment options(Arena arena, Conversion conversion, byte[] fill) {
        MemorySegment options = arena.allocate(StrideC.stride_copy_options);
        options.set(ValueLayout.JAVA_INT, offset(StrideC.stride_copy_options, "struct_size"), (int) options.byteSize());
        long at = offset(StrideC.stride_copy_options, "fill");
        MemorySegment.copy(fill, 0, options, ValueLayout.JAVA_BYTE, at, Math.min(fill.length, 16));
        options.set(ValueLayout.ADDRESS, offset(StrideC.stride_copy_options, "conversion"),
            conversion == null ? NULL : conversion.c);
        return options;
    }

    /** A copy prepared once. It holds no address; threads may share it. */
    public static final class Plan {
        private final MemorySegment c = Arena.ofAuto().allocate(StrideC.stride_plan);

        /** Prepares what {@link #copy} does. */
        public Plan(Side dst, Side src, byte... fill) {
            this(dst, src, null, fill);
        }

        /** Prepares a copy that converts. */
        public Plan(Side dst, Side src, Conversion conversion, byte... fill) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment options = options(arena, conversion, fill);
                check(arena, error -> StrideC.stride_plan_init_sides(c, dst.side, src.side, options, error));
            }
            Reference.reachabilityFence(dst);
            Reference.reachabilityFence(src);
            Reference.reachabilityFence(conversion);
        }

        /** Runs the plan. */
        public void execute(MemorySegment dst, MemorySegment src) {
            executePart(dst, src, 0, 1);
        }

        /** Runs the plan in parts on the threads of a pool, and returns when all have ended. */
        public void execute(MemorySegment dst, MemorySegment src, int parts, ExecutorService pool)
                throws InterruptedException {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int k = 0; k < Math.max(parts, 1); k++) {
                int part = k;
                tasks.add(() -> executePart(dst, src, part, Math.max(parts, 0)));
            }
            for (Future<Void> task : pool.invokeAll(tasks)) {
                try {
                    task.get();
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof RuntimeException) throw (RuntimeException) failed.getCause();
                    throw new IllegalStateException(failed.getCause());
                }
            }
        }

        private Void executePart(MemorySegment dst, MemorySegment src, int part, int parts) {
            checkWritable(dst);
            try (Arena arena = Arena.ofConfined()) {
                check(arena, error -> StrideC.stride_plan_execute_part(c, dst, dst.byteSize(), src, src.byteSize(),
                    part, parts, error));
            }
            return null;
        }
    }

    private static void checkWritable(MemorySegment dst) {
        if (dst.isReadOnly()) throw new IllegalArgumentException("the destination is read-only");
    }

    private static MemorySegment list(Arena arena, long[] entries) {
        return arena.allocateFrom(JAVA_LONG, entries);
    }

    private static long offset(StructLayout struct, String field) {
        return struct.byteOffset(PathElement.groupElement(field));
    }

    private interface Call {
        int call(MemorySegment error);
    }

    private static void check(Arena arena, Call call) {
        MemorySegment error = arena.allocate(StrideC.stride_error);
        int status = call.call(error);
        if (status != StrideC.STRIDE_STATUS_OK) throw exception(arena, status, error);
    }

    private static StrideException exception(Arena arena, int status, MemorySegment error) {
        MemorySegment sentence = arena.allocate(512);
        StrideC.stride_error_format(error, sentence, sentence.byteSize(), NULL, NULL);
        String name = StrideC.stride_status_name(status).reinterpret(Long.MAX_VALUE).getString(0);
        return new StrideException(status, name, sentence.getString(0));
    }

    /** For lists of which C takes one number only: the error that C would give if it took two. */
    private static void checkCount(int argument, int given, int needed) {
        if (given == needed) return;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(StrideC.stride_error);
            setInt(error, "status", StrideC.STRIDE_STATUS_INVALID_RANK);
            setInt(error, "argument", argument);
            setInt(error, "dimension", -1);
            setInt(error, "item", -1);
            setLong(error, "position", -1);
            setLong(error, "lhs", given);
            setLong(error, "rhs", needed);
            setLong(error, "detail", StrideC.STRIDE_DETAIL_COUNT);
            throw exception(arena, StrideC.STRIDE_STATUS_INVALID_RANK, error);
        }
    }

    private static void setInt(MemorySegment error, String field, int value) {
        error.set(ValueLayout.JAVA_INT, offset(StrideC.stride_error, field), value);
    }

    private static void setLong(MemorySegment error, String field, long value) {
        error.set(JAVA_LONG, offset(StrideC.stride_error, field), value);
    }
}
