import { Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'

export function RatingFormSkeleton() {
  return (
    <div
      role="status"
      aria-label="Opening the form..."
      className="rounded-xl border border-line bg-surface p-5 md:p-7"
    >
      <Skeleton className="h-8 w-64 max-w-full" />
      <div className="mt-8 grid gap-x-10 gap-y-8 lg:grid-cols-2">
        {['rto', 'dei', 'workLife', 'culture'].map((key) => (
          <div key={key}>
            <Skeleton className="h-5 w-56 max-w-full" />
            <Skeleton className="mt-4 h-9 w-52" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-8 h-32 w-full" />
    </div>
  )
}

export function RatingsSkeleton() {
  return (
    <div role="status" aria-label="Loading...">
      <div className="grid gap-8 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <SkeletonCard className="h-44" />
        <SkeletonCard className="h-44" />
      </div>
      <div className="mt-10 grid gap-8 md:grid-cols-2">
        {['rto', 'dei', 'workLife', 'culture'].map((key) => (
          <Skeleton key={key} className="h-40 w-full" />
        ))}
      </div>
    </div>
  )
}
