/** Parts of a thread's page that most threads do without; their code comes with those that have them. */
import { pagePart } from '../../../ui/page-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

export const PollBox = pagePart(
  () => import('./poll-box.tsx').then((it) => it.PollBox),
  <Skeleton className="mt-6 h-48 w-full rounded-xl" />,
)

/** Says in a comment's place why it is not shown. */
export const RemovalWords = pagePart(
  () => import('./removal-words.tsx').then((it) => it.RemovalWords),
  null,
)

/** In place of a thread that has gone. */
export const Nowhere = pagePart(() =>
  import('../../../session/not-found.tsx').then((it) => it.Nowhere),
)
