/** Spec §2.6. */
import { useSession } from '#app/kit/session/session.data.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'

export const ViewCount = lazyComponent(() => import('./view-count.tsx').then((it) => it.ViewCount))

/** Call it once per list, not in each card. */
export const useSeesViewCounts = () => useSession().me?.can.includes('seeViewCounts') === true
