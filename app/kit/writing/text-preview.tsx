/** How a text will look, rendered in the browser. Nothing is sent. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { refusalOf } from '../forms/refusal.ts'
import { LoadErrorLine } from '../ui/message.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
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
  if (error) return <LoadErrorLine text={refusalOf(error)} onRetry={refetch} />
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

/** The same code as on the server. */
async function rendered(text: string) {
  const [{ markdownHtml }, { cleanText }] = await Promise.all([
    import('./markdown.ts'),
    import('./text.ts'),
  ])
  return markdownHtml(cleanText(text))
}
