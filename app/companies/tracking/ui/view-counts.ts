/** How often companies' pages were seen, for the few who are told. Spec §2.6. */
import { useSession } from '#app/kit/session/session.data.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'

export const ViewCount = lazyComponent(() => import('./view-count.tsx').then((it) => it.ViewCount))

/** Asked once for a list, not by each of its cards. */
export const useSeesViewCounts = () => useSession().me?.can.includes('seeViewCounts') === true
