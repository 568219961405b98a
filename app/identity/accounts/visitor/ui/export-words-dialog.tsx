/** Shows this browser's twelve words, for use in another one. Load it with `lazyDialog`. */
import { useState } from 'react'
import { storedAnonymousId } from '#app/kit/session/visitor-id.data.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { visitorWordsFile, wordsOfId } from '../../words/twelve-words.data.ts'
import { WordsList } from '../../words/ui/twelve-words.tsx'

export function ExportWordsDialog(popup: OpenProps) {
  // Read each time it opens, and kept while it closes.
  const [id, setId] = useState<string>()
  const current = popup.open ? storedAnonymousId() : id
  if (current !== id) setId(current)
  return (
    <Dialog
      {...popup}
      width="md"
      title="Back up your posts"
      description={
        id
          ? 'These twelve words unlock what you wrote, saved and followed in this browser. In your other browser, choose “Restore your posts”.'
          : 'Nothing to back up yet. You get your words when you first post, vote, save or follow something here.'
      }
    >
      {id && (
        <div className="grid gap-4">
          <WordsList words={wordsOfId(id)} fileOf={(siteName) => visitorWordsFile(id, siteName)} />
          <div className="grid gap-2 text-sm leading-6 text-ink-soft">
            <p>
              <strong className="font-semibold text-ink">
                Anyone with these words can see, change and delete all of this, just like you.
              </strong>{' '}
              Write them down where your employer can’t look, and don’t send them to anyone. We’ll
              never ask for them.
            </p>
            <p>
              If you lose the words, we can’t recover or replace them. Your posts stay in this
              browser too.
            </p>
          </div>
        </div>
      )}
    </Dialog>
  )
}
