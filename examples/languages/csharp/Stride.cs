// libstride for C#: layouts of tensors, copies between spans, plans on threads.
//
// Copies take bytes: MemoryMarshal.AsBytes(floats) gives those of a span of another type. Native.cs, which Generate
// makes, has the library's constants as enums, its structs and its functions.
using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Stride {
    /// <summary>What the library says about a call that failed.</summary>
    public sealed unsafe class StrideException : Exception {
        internal StrideException(Status status, string name, string sentence) : base(name + ": " + sentence) {
            Status = status;
            StatusName = name;
            Sentence = sentence;
        }

        public Status Status { get; }

        /// <summary>The library's word for the status, such as "OUT_OF_BOUNDS".</summary>
        public string StatusName { get; }

        /// <summary>Names the argument, the place and both numbers.</summary>
        public string Sentence { get; }

        internal static void Check(Status status, stride_error* error) {
            if (status == Status.Ok) return;
            byte* sentence = stackalloc byte[512];
            Native.stride_error_format(error, sentence, 512, null, null);
            throw new StrideException(status, Marshal.PtrToStringAnsi((IntPtr)Native.stride_status_name(status)),
                Marshal.PtrToStringAnsi((IntPtr)sentence));
        }

        /// <summary>For lists of which C takes one number only: the error that C would give if it took two.</summary>
        internal static void CheckCount(Argument argument, int given, int needed) {
            if (given == needed) return;
            var error = new stride_error {
                status = Status.InvalidRank, argument = argument, dimension = -1, item = -1, position = ulong.MaxValue,
                lhs = given, rhs = needed, detail = (ulong)Detail.Count,
            };
            Check(error.status, &error);
        }
    }

    /// <summary>Says where each element of a tensor lies. It never changes, so threads may share it.</summary>
    public sealed unsafe class Layout {
        internal stride_layout c;

        private Layout() { }

        /// <summary>Row-major without gaps.</summary>
        public static Layout Packed(Dtype dtype, params long[] sizes) {
            var made = new Layout();
            stride_error error;
            fixed (stride_layout* to = &made.c)
            fixed (long* s = sizes)
                StrideException.Check(
                    Native.stride_layout_init(to, dtype, (uint)sizes.Length, s, null, &error), &error);
            return made;
        }

        /// <summary>Any strides, in elements.</summary>
        public static Layout Strided(Dtype dtype, ReadOnlySpan<long> sizes, ReadOnlySpan<long> strides) {
            StrideException.CheckCount(Argument.Strides, strides.Length, sizes.Length);
            var made = new Layout();
            stride_error error;
            fixed (stride_layout* to = &made.c)
            fixed (long* s = &MemoryMarshal.GetReference(sizes), t = &MemoryMarshal.GetReference(strides))
                StrideException.Check(Native.stride_layout_init(to, dtype, (uint)sizes.Length, s, t, &error), &error);
            return made;
        }

        /// <summary>The box of these sizes that begins at <paramref name="starts"/>.</summary>
        public Layout Crop(ReadOnlySpan<long> starts, ReadOnlySpan<long> sizes) {
            StrideException.CheckCount(Argument.Starts, starts.Length, (int)c.rank);
            StrideException.CheckCount(Argument.Sizes, sizes.Length, (int)c.rank);
            var view = new Layout();
            stride_error error;
            fixed (stride_layout* from = &c, to = &view.c)
            fixed (long* s = &MemoryMarshal.GetReference(starts), t = &MemoryMarshal.GetReference(sizes))
                StrideException.Check(Native.stride_layout_crop(from, c.rank, s, t, to, &error), &error);
            return view;
        }

        /// <summary>Mirrors these dimensions.</summary>
        public Layout Flip(params long[] axes) {
            var view = new Layout();
            stride_error error;
            fixed (stride_layout* from = &c, to = &view.c)
            fixed (long* a = axes)
                StrideException.Check(Native.stride_layout_flip(from, (uint)axes.Length, a, to, &error), &error);
            return view;
        }

        /// <summary>Dimension i of the view is dimension axes[i].</summary>
        public Layout Permute(params long[] axes) {
            var view = new Layout();
            stride_error error;
            fixed (stride_layout* from = &c, to = &view.c)
            fixed (long* a = axes)
                StrideException.Check(Native.stride_layout_permute(from, (uint)axes.Length, a, to, &error), &error);
            return view;
        }

        /// <summary>The bytes that the memory must have.</summary>
        public long MinBytes {
            get {
                ulong bytes;
                stride_error error;
                fixed (stride_layout* from = &c)
                    StrideException.Check(Native.stride_layout_min_bytes(from, &bytes, &error), &error);
                return checked((long)bytes);
            }
        }

        /// <summary>Such as "f32[2,3] strides [3,1] offset 0".</summary>
        public override string ToString() {
            int capacity = 64 + 48 * (int)c.rank;
            byte* text = stackalloc byte[capacity];
            stride_error error;
            fixed (stride_layout* from = &c)
                StrideException.Check(Native.stride_layout_format(from, text, (ulong)capacity, null, &error), &error);
            return Marshal.PtrToStringAnsi((IntPtr)text);
        }
    }

    public static unsafe class Library {
        /// <summary>The library's version, as "0.1.0".</summary>
        public static string Version {
            get {
                uint number = Native.stride_version();
                return number / 10000 + "." + number / 100 % 100 + "." + number % 100;
            }
        }

        /// <summary>Moves every element of the source to the element of the destination with the same index.</summary>
        public static void Copy(Layout dstLayout, Span<byte> dst, Layout srcLayout, ReadOnlySpan<byte> src) {
            stride_error error;
            fixed (stride_layout* to = &dstLayout.c, from = &srcLayout.c)
            fixed (byte* d = &MemoryMarshal.GetReference(dst), s = &MemoryMarshal.GetReference(src))
                StrideException.Check(
                    Native.stride_copy(to, d, (ulong)dst.Length, from, s, (ulong)src.Length, null, &error), &error);
        }
    }

    /// <summary>A copy prepared once. It holds no address; threads may share it.</summary>
    public sealed unsafe class Plan {
        private stride_plan c;

        /// <summary>Prepares what <see cref="Library.Copy"/> does.</summary>
        public Plan(Layout dst, Layout src) {
            stride_error error;
            fixed (stride_plan* plan = &c)
            fixed (stride_layout* to = &dst.c, from = &src.c)
                StrideException.Check(Native.stride_plan_init(plan, to, from, null, &error), &error);
        }

        /// <summary>Runs the plan, each part on a thread of its own; 1 part on this one.</summary>
        public void Execute(Span<byte> dst, ReadOnlySpan<byte> src, int parts = 1) {
            ulong dstBytes = (ulong)dst.Length, srcBytes = (ulong)src.Length;
            // The spans stay pinned until all parts have ended. A lambda cannot have a pinned pointer, but its number.
            fixed (byte* d = &MemoryMarshal.GetReference(dst), s = &MemoryMarshal.GetReference(src)) {
                IntPtr to = (IntPtr)d, from = (IntPtr)s;
                if (parts <= 1) {
                    ExecutePart(to, dstBytes, from, srcBytes, 0, (uint)Math.Max(parts, 0));
                    return;
                }
                var tasks = new Task[parts];
                for (uint k = 0; k < parts; k++) {
                    uint part = k;
                    tasks[k] = Task.Factory.StartNew(
                        () => ExecutePart(to, dstBytes, from, srcBytes, part, (uint)parts), CancellationToken.None,
                        TaskCreationOptions.LongRunning, TaskScheduler.Default);
                }
                try {
                    Task.WaitAll(tasks);
                } catch (AggregateException failed) {
                    ExceptionDispatchInfo.Capture(failed.InnerExceptions[0]).Throw();
                }
            }
        }

        private void ExecutePart(IntPtr dst, ulong dstBytes, IntPtr src, ulong srcBytes, uint part, uint parts) {
            stride_error error;
            fixed (stride_plan* plan = &c)
                StrideException.Check(Native.stride_plan_execute_part(plan, (void*)dst, dstBytes, (void*)src, srcBytes,
                    part, parts, &error), &error);
        }
    }
}
