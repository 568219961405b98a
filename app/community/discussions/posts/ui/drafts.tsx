import { type ReactNode, useEffect, useState } from 'react'
import { useSession } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { plural } from '#app/kit/ui/format.ts'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import { copyText } from '#app/kit/ui/share.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { clearDraft, listDrafts, type StoredDraft, saveDraft } from '#app/kit/writing/draft.data.ts'
import { cutText } from '#app/kit/writing/text.ts'

export function Drafts({ empty }: { empty: ReactNode }) {
  const [drafts, setDrafts] = useState<StoredDraft[]>()
  const who = useSession().me?.profile?.id
  useEffect(() => setDrafts(listDrafts(who)), [who])

  const discard = (draft: StoredDraft) => {
    clearDraft(draft)
    setDrafts(listDrafts(who))
    toast({
      title: 'Draft discarded',
      action: {
        label: 'Undo',
        onPress: () => {
          saveDraft(draft, draft.content, draft.savedAt)
          setDrafts(listDrafts(who))
        },
      },
    })
  }

  if (!drafts) return null
  if (drafts.length === 0) return empty
  return (
    <>
      <p className="mb-4 text-sm text-ink-faint">
        {`${plural(drafts.length, 'draft')} saved only in this browser.`}
      </p>
      <ul className="divide-y divide-line border-y border-line">
        {drafts.map((draft) => {
          const { title, text } = textOf(draft)
          return (
            <li
              key={`${draft.kind}:${draft.key}`}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4"
            >
              <div className="min-w-0 flex-1 basis-64">
                <SiteLink
                  href={draft.path}
                  dir="auto"
                  className="block font-serif text-xl leading-7 font-medium text-ink underline-offset-4 hover:underline"
                >
                  {title}
                </SiteLink>
                {text && (
                  <p dir="auto" className="mt-1 line-clamp-2 text-sm leading-6 text-ink-soft">
                    {cutText(text, 300)}
                  </p>
                )}
                <p className="dotted mt-1 text-sm text-ink-faint">
                  {draft.isEdit && <span>Unsaved edit</span>}
                  <RelativeTime iso={new Date(draft.savedAt).toISOString()} />
                </p>
              </div>
              <div className="flex gap-2">
                {/* Even if the post is deleted, the draft's text isn't lost. */}
                {text && (
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label={`Copy the text of “${title}”`}
                    onClick={() => copyText(text, 'Text copied')}
                  >
                    Copy
                  </Button>
                )}
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Discard “${title}”`}
                  onClick={() => discard(draft)}
                >
                  Discard
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}

const NAMELESS: Record<StoredDraft['kind'], string> = {
  thread: 'Untitled thread',
  comment: 'A comment',
  rating: 'A rating',
  pay: 'Pay',
  interview: 'An interview',
  benefits: 'Benefits',
  'company-reply': 'A company’s reply',
  room: 'In a room',
  job: 'Untitled job',
}

/** Each kind has its own names for its texts. */
function textOf({ kind, content }: StoredDraft) {
  const { title, body, note, text, description } = content as Record<string, string | undefined>
  return {
    title: title?.trim() || NAMELESS[kind],
    text: body ?? note ?? text ?? description ?? '',
  }
}
