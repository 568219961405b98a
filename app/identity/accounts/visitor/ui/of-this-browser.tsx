/** Says to visitors whose their things are, and the two ways to have them in another browser. */
import { useState } from 'react'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'

const TakeAlongDialog = lazyDialog(() =>
  import('./take-along-dialog.tsx').then((it) => it.TakeAlongDialog),
)
const BringDialog = lazyDialog(() => import('./bring-dialog.tsx').then((it) => it.BringDialog))

/** @param what completes "What you … without an account" */
export function OfThisBrowser({ what }: { what: string }) {
  const [open, setOpen] = useState<'take' | 'bring'>()
  const close = () => setOpen(undefined)
  return (
    <div className="mt-3 max-w-prose text-sm leading-6 text-ink-soft known:hidden">
      <p>
        {`What you ${what} without an account belongs to this browser. It is forgotten when you clear the browser’s data, unless you keep its twelve words.`}
      </p>
      <p className="flex flex-wrap gap-x-5 no-js:hidden">
        <button
          type="button"
          {...TakeAlongDialog.preload}
          onClick={() => setOpen('take')}
          className={buttonLook}
        >
          Take your posts along
        </button>
        <button
          type="button"
          {...BringDialog.preload}
          onClick={() => setOpen('bring')}
          className={buttonLook}
        >
          Bring posts here
        </button>
      </p>
      <TakeAlongDialog open={open === 'take'} onOpenChange={close} />
      <BringDialog open={open === 'bring'} onOpenChange={close} />
    </div>
  )
}

const buttonLook = `inline-flex min-h-10 items-center ${linkLook}`
