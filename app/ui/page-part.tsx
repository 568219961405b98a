/** Parts of a page whose code comes with the pages that show them, not with every page of a screen. */
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorState } from './message.tsx'
import { COULD_NOT_LOAD } from './openable.tsx'

/**
 * Makes a component whose code loads when it is first shown.
 *
 *     const RatingsTab = pagePart(() => import('./ratings-tab').then((it) => it.RatingsTab))
 *
 *     <RatingsTab company={company} />
 *
 * What the server is to render is loaded before, by the page's place: it awaits `load()` beside its
 * answers. While hydrating, the server's markup stays until the code is here.
 * @param fallback stands in its place meanwhile
 */
export function pagePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = <p className="py-8 text-sm text-ink-faint">Loading...</p>,
): PagePart<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    loaded ??= await load()
    return loaded
  }
  const orFailed = () =>
    loadOnce().then(
      (it) => ({ default: it }),
      () => ({ default: DidNotLoad }),
    )
  // biome-ignore lint/correctness/noComponentHookFactories: made once, beside its imports, like React.lazy
  const Part = (props: Props) => {
    // It stays the same while it is shown: another component would begin anew.
    const [Content] = useState<ComponentType<Props>>(
      () => loaded ?? (lazy(orFailed) as ComponentType<Props>),
    )
    const [isAlive, setAlive] = useState(loaded !== undefined)
    const part = () => (
      <Suspense fallback={fallback}>
        <Content {...props} />
        {!isAlive && <Awake tell={setAlive} />}
      </Suspense>
    )
    // What changes before the code is here waits: React would throw the server's markup away.
    const [first] = useState(part)
    return isAlive ? part() : first
  }
  return Object.assign(Part, { load: loadOnce })
}

/** Tells, from inside a part, that it has come to life. */
function Awake({ tell }: { tell: (isAlive: true) => void }) {
  useEffect(() => tell(true), [tell])
  return null
}

function DidNotLoad() {
  return (
    <ErrorState
      title={COULD_NOT_LOAD.title}
      text={COULD_NOT_LOAD.description}
      action={<Button onClick={() => window.location.reload()}>Try Again</Button>}
    />
  )
}

export type PagePart<Props> = ComponentType<Props> & {
  /** Fetches the code ahead of time. */
  load: () => Promise<ComponentType<Props>>
}
