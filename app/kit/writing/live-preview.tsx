/** The thread as it will look, beside its form if there's room. Otherwise the editor has a tab. */
import { useDebounced } from '../ui/use-debounced.ts'
import { useIsWide } from '../ui/use-media.ts'
import { TextPreview } from './text-preview.tsx'

const DEBOUNCE_MS = 700

export function LivePreview({ title, body }: { title: string; body: string }) {
  const isWide = useIsWide()
  const text = useDebounced(body, DEBOUNCE_MS)
  return (
    <aside
      aria-label="Preview"
      className="sticky top-24 max-h-[calc(100dvh-8rem)] overflow-y-auto rounded-xl border border-line bg-surface p-5 max-lg:hidden"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
      tabIndex={0}
    >
      <p className="text-xs font-medium text-ink-faint">Preview</p>
      <p
        dir="auto"
        className="mt-2 font-serif text-2xl leading-8 font-medium text-balance text-ink"
      >
        {title.trim() || <span className="text-ink-faint">Your title</span>}
      </p>
      <div className="mt-3">{isWide && <TextPreview text={text} />}</div>
    </aside>
  )
}
