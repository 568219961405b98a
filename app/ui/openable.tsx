/** What loads only when it opens: dialogs, drawers, menus. */

import { type ComponentType, useEffect, useState } from 'react'
import { toast } from './toast.ts'
import { loadedOnce, type WarmProps, warmOn, warmUp } from './warm.ts'

/** What every piece that opens is told. */
export type OpenProps = { open: boolean; onOpenChange: (open: boolean) => void }

/**
 * Makes a component whose code loads at its first opening, or before, at the first sign of
 * intent: spread `warm` on the button that opens it.
 *
 *     const AuthDialog = openable(() => import('./auth-dialog').then((it) => it.AuthDialog))
 *
 *     <Button {...AuthDialog.warm} onClick={() => setOpen(true)}>Log in</Button>
 *     <AuthDialog open={open} onOpenChange={setOpen} />
 *
 * It renders nothing on the server, nothing until first opened, and stays mounted when closed,
 * so that closing can be animated. A failed load closes it again, says so, and is tried anew
 * at the next opening.
 */
export function openable<Props extends OpenProps>(
  load: () => Promise<ComponentType<Props>>,
): Openable<Props> {
  const loadOnce = loadedOnce(load)

  // biome-ignore lint/correctness/noComponentHookFactories: made once, beside its imports, like React.lazy
  const Opened = (props: Props) => {
    const { open, onOpenChange } = props
    const [Content, setContent] = useState<ComponentType<Props>>()
    // The first frame is closed, so that the opening has something to move from.
    const [isReady, setReady] = useState(false)

    useEffect(() => {
      if (!open || Content) return
      let isWanted = true
      loadOnce().then(
        (loaded) => isWanted && setContent(() => loaded),
        () => {
          if (!isWanted) return
          onOpenChange(false)
          toast(COULD_NOT_LOAD)
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

  return Object.assign(Opened, {
    load: () => warmUp(loadOnce),
    warm: warmOn(loadOnce),
  })
}

export const COULD_NOT_LOAD = {
  title: 'Something went wrong',
  description: 'This part of the page did not load. Check your connection and try again.',
  variant: 'destructive',
} as const

export type Openable<Props extends OpenProps> = ComponentType<Props> & {
  /** Fetches the code ahead of time. */
  load: () => void
  /** Spread on the button that opens it: fetches the code on hover, focus or touch. */
  warm: WarmProps
}
