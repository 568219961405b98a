import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'

export const RatingFormSkeleton = () => (
  <Loading
    label="Opening the form..."
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
  </Loading>
)
