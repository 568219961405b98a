/** Components whose code loads when it's first needed. */

import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { LoadError } from './message.tsx'
import { toast } from './toast.ts'

/**
 * A component whose code loads when it's first shown. Not for what the server renders.
 *
 *     const RatingForm = lazyComponent(() => import('./rating-form').then((it) => it.RatingForm))
 *
 *     <Button {...RatingForm.preload} onClick={() => setOpen(true)}>Rate</Button>
 *     {isOpen && <RatingForm company={company} />}
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): Lazy<Props> {
  const Content = lazy(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      () => ({ default: DidNotLoad as ComponentType<Props> }),
    ),
  )
  // biome-ignore lint/correctness/noComponentHookFactories: made once, beside its imports, like React.lazy
  const Component = (props: Props) => (
    <Suspense fallback={fallback}>
      <Content {...props} />
    </Suspense>
  )
  return Object.assign(Component, { preload: preloading(load) })
}

/**
 * A lazy dialog, drawer or menu. The component stays mounted when closed, so closing can be animated. If it fails to
 * load, it closes again with a toast, and opening it tries again.
 *
 *     <Button {...AuthDialog.preload} onClick={() => setOpen(true)}>Log in</Button>
 *     <AuthDialog open={isOpen} onOpenChange={setOpen} />
 */
export function lazyDialog<Props extends OpenProps>(
  load: () => Promise<ComponentType<Props>>,
): Lazy<Props> {
  // biome-ignore lint/correctness/noComponentHookFactories: made once, beside its imports, like React.lazy
  const Dialog = (props: Props) => {
    const { open, onOpenChange } = props
    const [Content, setContent] = useState<ComponentType<Props>>()
    // Closed in the first frame, so opening is animated.
    const [isReady, setReady] = useState(false)
    useEffect(() => {
      if (!open || Content) return
      let isWanted = true
      load().then(
        (loaded) => isWanted && setContent(() => loaded),
        () => {
          if (!isWanted) return
          onOpenChange(false)
          toast({ ...COULD_NOT_LOAD, variant: 'destructive' })
        },
      )
      return () => {
        isWanted = false
      }
    }, [open, Content, onOpenChange])
    useEffect(() => {
      if (Content) setReady(true)
    }, [Content])
    return Content ? <Content {...props} open={open && isReady} /> : null
  }
  return Object.assign(Dialog, { preload: preloading(load) })
}

export type OpenProps = { open: boolean; onOpenChange: (open: boolean) => void }

export type Lazy<Props> = ComponentType<Props> & {
  /** Spread it on the trigger. Fetches the code on hover, focus or touch. */
  preload: PreloadProps
}

export type PreloadProps = ReturnType<typeof preloading>

function preloading(load: () => Promise<unknown>) {
  // A failure matters only when the code is needed.
  const preload = () => {
    load().catch(() => {})
  }
  return { onPointerEnter: preload, onFocus: preload, onTouchStart: preload }
}

const COULD_NOT_LOAD = {
  title: 'Something went wrong',
  description: 'This part of the page didn’t load. Check your connection and try again.',
}

function DidNotLoad() {
  return <LoadError text={COULD_NOT_LOAD.description} onRetry={() => window.location.reload()} />
}
