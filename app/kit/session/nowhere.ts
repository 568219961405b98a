/** For screens within the site. For an address that's opened directly, the server answers. */
import { lazyComponent } from '../ui/lazy-component.tsx'

export const Nowhere = lazyComponent(() => import('./not-found.tsx').then((it) => it.Nowhere))
