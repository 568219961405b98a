/** Tells visitors that their posts belong to this browser, and offers to move them. */
import { useState } from 'react'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

const ExportWordsDialog = lazyDialog(() =>
  import('./export-words-dialog.tsx').then((it) => it.ExportWordsDialog),
)
const ImportWordsDialog = lazyDialog(() =>
  import('./import-words-dialog.tsx').then((it) => it.ImportWordsDialog),
)

export function OfThisBrowser({ what }: { what: string }) {
  const [open, setOpen] = useState<'take' | 'bring'>()
  const close = () => setOpen(undefined)
  return (
    <div className="mt-3 max-w-prose text-sm leading-6 text-ink-soft known:hidden">
      <p>
        {`What you ${what} without an account belongs to this browser. If you clear the browser’s data without a backup, it’s lost.`}
      </p>
      <p className="flex flex-wrap gap-x-5 no-js:hidden">
        <button
          type="button"
          {...ExportWordsDialog.preload}
          onClick={() => setOpen('take')}
          className={buttonClasses}
        >
          Back up your posts
        </button>
        <button
          type="button"
          {...ImportWordsDialog.preload}
          onClick={() => setOpen('bring')}
          className={buttonClasses}
        >
          Restore your posts
        </button>
      </p>
      <ExportWordsDialog open={open === 'take'} onOpenChange={close} />
      <ImportWordsDialog open={open === 'bring'} onOpenChange={close} />
    </div>
  )
}

const buttonClasses = `inline-flex min-h-10 items-center ${linkClasses}`
