/** For screens of the administration: whoever needs a second factor for it is asked to set one up. */
import { lazyComponent } from '../ui/lazy-component.tsx'

export const NeedsFactor = lazyComponent(() =>
  import('./second-factor-wanted.tsx').then((it) => it.SecondFactorWanted),
)
