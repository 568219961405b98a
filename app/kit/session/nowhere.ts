/** For screens: where nothing is at an address that was opened directly, the server says so instead. */
import { lazyComponent } from '../ui/lazy-component.tsx'

export const Nowhere = lazyComponent(() => import('./not-found.tsx').then((it) => it.Nowhere))
