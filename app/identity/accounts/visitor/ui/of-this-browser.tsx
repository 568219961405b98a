/** Tells visitors that their posts belong to this browser, and offers to move them. */
import { useState } from 'react'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

const TakeAlongDialog = lazyDialog(() =>
  import('./take-along-dialog.tsx').then((it) => it.TakeAlongDialog),
)
const BringDialog = lazyDialog(() => import('./bring-dialog.tsx').then((it) => it.BringDialog))

export function OfThisBrowser({ what }: { what: string }) {
  const [open, setOpen] = useState<'take' | 'bring'>()
  const close = () => setOpen(undefined)
  return (
    <div className="mt-3 max-w-prose text-sm leading-6 text-ink-soft known:hidden">
      <p>
        {`What you ${what} without an account belongs to this browser. Clear the browser’s data and it’s lost, unless you saved its twelve words.`}
      </p>
      <p className="flex flex-wrap gap-x-5 no-js:hidden">
        <button
          type="button"
          {...TakeAlongDialog.preload}
          onClick={() => setOpen('take')}
          className={buttonClasses}
        >
          Back up your posts
        </button>
        <button
          type="button"
          {...BringDialog.preload}
          onClick={() => setOpen('bring')}
          className={buttonClasses}
        >
          Restore your posts
        </button>
      </p>
      <TakeAlongDialog open={open === 'take'} onOpenChange={close} />
      <BringDialog open={open === 'bring'} onOpenChange={close} />
    </div>
  )
}

const buttonClasses = `inline-flex min-h-10 items-center ${linkClasses}`
