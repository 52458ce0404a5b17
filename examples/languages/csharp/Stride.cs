// libstride for C#: layouts of tensors, copies between spans, plans on threads.
//
// Copies take bytes: MemoryMarshal.AsBytes(floats) gives those of a span of another type. Native.cs, which Generate
// makes, has the library's constants as enums, its structs and its functions.
using System;
using System.Collections.Generic;
using System.Linq;
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

    /// <summary>Indices along a dimension: First, First + Step, ...; Count of them. First -1 of a source is the fill
    /// value. A number is a run of one index.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Run {
        public long First, Step, Count;

        public Run(long first, long step, long count) {
            First = first;
            Step = step;
            Count = count;
        }

        public static implicit operator Run(long index) { return new Run(index, 1, 1); }
    }

    /// <summary>One side of a copy: a layout, seen plain, through runs, or as a range. It never changes.</summary>
    public unsafe class CopySide {
        private Layout of;
        private KeyValuePair<uint, Run[]>[] along = { };
        private Run? range;

        internal CopySide() { of = this as Layout; }

        /// <summary>Sees the indices along one more dimension through runs, one after the other.</summary>
        public CopySide Runs(int dimension, params Run[] runs) {
            var more = new[] { new KeyValuePair<uint, Run[]>((uint)dimension, (Run[])runs.Clone()) };
            return new CopySide { of = of, along = along.Concat(more).ToArray(), range = range };
        }

        /// <summary>Sees so many elements from number <paramref name="first"/> on in row-major order, as one dimension.
        /// </summary>
        public CopySide Range(long first, long count) {
            return new CopySide { of = of, along = along, range = new Run(first, 1, count) };
        }

        internal delegate Status Use(stride_side* dst, stride_side* src, stride_copy_options* options,
            stride_error* error);

        /// <summary>Calls a function with both sides. They have the addresses of layouts and runs, which stay pinned
        /// until the call has returned.</summary>
        internal static void With(CopySide dst, CopySide src, ReadOnlySpan<byte> fill, Conversion conversion, Use use) {
            var options = new stride_copy_options { struct_size = (uint)sizeof(stride_copy_options) };
            for (int k = 0; k < Math.Min(fill.Length, 16); k++) options.fill[k] = fill[k];
            stride_conversion converted;
            if (conversion != null) {
                converted = conversion.c;
                options.conversion = &converted;
            }
            stride_side to, from;
            stride_error error;
            fixed (stride_layout* d = &dst.of.c, s = &src.of.c)
            fixed (Run* dstRuns = dst.AllRuns(), srcRuns = src.AllRuns()) {
                dst.Write(&to, d, dstRuns);
                src.Write(&from, s, srcRuns);
                StrideException.Check(use(&to, &from, &options, &error), &error);
            }
        }

        private Run[] AllRuns() { return along.SelectMany(one => one.Value).ToArray(); }

        private void Write(stride_side* side, stride_layout* layout, Run* runs) {
            stride_error error;
            StrideException.Check(Native.stride_side_init(side, Side.Layout, layout, &error), &error);
            foreach (var one in along) {
                uint count = (uint)one.Value.Length;
                StrideException.Check(
                    Native.stride_side_set_runs(side, one.Key, count, (stride_index_run*)runs, &error), &error);
                runs += count;
            }
            if (range is Run r)
                StrideException.Check(Native.stride_side_set_range(side, r.First, r.Count, &error), &error);
        }
    }

    /// <summary>Says where each element of a tensor lies. It never changes, so threads may share it.</summary>
    public sealed unsafe class Layout : CopySide {
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

    /// <summary>What becomes of each number: (x - subtract) * scale + add where any of these is given, or else the
    /// plain value.</summary>
    public sealed unsafe class Conversion {
        internal readonly stride_conversion c;

        public Conversion(double? subtract = null, double? scale = null, double? add = null, ConvertFlags flags = 0) {
            if ((subtract ?? scale ?? add).HasValue) flags |= ConvertFlags.Affine;
            c = new stride_conversion {
                struct_size = (uint)sizeof(stride_conversion), flags = flags,
                subtract = subtract ?? 0, scale = scale ?? 1, add = add ?? 0,
            };
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

        /// <summary>Moves every element of the source to the element of the destination with the same index.
        /// <paramref name="fill"/> has up to 16 bytes of the fill value. With a conversion the layouts may have any
        /// dtypes.</summary>
        public static void Copy(CopySide dstSide, Span<byte> dst, CopySide srcSide, ReadOnlySpan<byte> src,
                ReadOnlySpan<byte> fill = default(ReadOnlySpan<byte>), Conversion conversion = null) {
            ulong dstBytes = (ulong)dst.Length, srcBytes = (ulong)src.Length;
            fixed (byte* d = &MemoryMarshal.GetReference(dst), s = &MemoryMarshal.GetReference(src)) {
                IntPtr to = (IntPtr)d, from = (IntPtr)s;
                CopySide.With(dstSide, srcSide, fill, conversion, (dstGiven, srcGiven, options, error) =>
                    Native.stride_copy_sides(dstGiven, (void*)to, dstBytes, srcGiven, (void*)from, srcBytes, options,
                        error));
            }
        }
    }

    /// <summary>A copy prepared once. It holds no address; threads may share it.</summary>
    public sealed unsafe class Plan {
        private stride_plan c;

        /// <summary>Prepares what <see cref="Library.Copy"/> does.</summary>
        public Plan(CopySide dst, CopySide src, ReadOnlySpan<byte> fill = default(ReadOnlySpan<byte>),
                Conversion conversion = null) {
            fixed (stride_plan* plan = &c) {
                IntPtr made = (IntPtr)plan;
                CopySide.With(dst, src, fill, conversion, (to, from, options, error) =>
                    Native.stride_plan_init_sides((stride_plan*)made, to, from, options, error));
            }
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
