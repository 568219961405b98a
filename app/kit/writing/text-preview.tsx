/** How a text will look, rendered in the browser. Nothing is sent. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { errorSentence } from '../forms/refusal.ts'
import { LoadErrorLine } from '../ui/message.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { useIsWide } from '../ui/use-screen.ts'
import { PostBody } from './post-body.tsx'

export function TextPreview({ text }: { text: string }) {
  const isEmpty = text.trim() === ''
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', text],
    queryFn: () => rendered(text),
    gcTime: 0,
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
  })
  if (isEmpty) return <p className="text-sm text-ink-faint">Nothing to preview yet.</p>
  if (error) return <LoadErrorLine text={errorSentence(error)} onRetry={refetch} />
  if (data === undefined)
    return (
      <Loading label="Making the preview..." className="grid gap-2.5">
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-2/3" />
      </Loading>
    )
  return <PostBody html={data} />
}

/** Runs the same code as the server. */
async function rendered(text: string) {
  const [{ markdownHtml }, { cleanText }] = await Promise.all([
    import('./markdown.ts'),
    import('./text.ts'),
  ])
  return markdownHtml(cleanText(text))
}

/**
 * The thread as it will look, next to its form if there's room. Otherwise, the editor has a tab for the
 * preview.
 */
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
