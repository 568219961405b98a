/** Shows a visitor the twelve words of this browser, to be taken to another one. Load it with `lazyDialog`. */
import { useState } from 'react'
import { keptAnonymousId } from '#app/kit/session/visitor-id.data.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { WordsList } from '../../words/ui/words-list.tsx'
import { visitorWordsFile, wordsOf } from '../visitor-words.data.ts'

export function TakeAlongDialog(popup: OpenProps) {
  // Looked at anew with each opening; while it closes it still shows what it showed.
  const [id, setId] = useState<string>()
  const now = popup.open ? keptAnonymousId() : id
  if (now !== id) setId(now)
  return (
    <Dialog
      {...popup}
      width="md"
      title="Take your posts along"
      description={
        id
          ? 'These twelve words open what you wrote, saved and follow in this browser. In the other one, choose “Bring posts here”.'
          : 'There is nothing to take along yet: the words are made when you first write, vote, save or follow something here.'
      }
    >
      {id && (
        <div className="grid gap-4">
          <WordsList words={wordsOf(id)} fileOf={(siteName) => visitorWordsFile(id, siteName)} />
          <div className="grid gap-2 text-sm leading-6 text-ink-soft">
            <p>
              <strong className="font-semibold text-ink">
                Whoever gets these words can see all of this, and change and delete it, as you can.
              </strong>{' '}
              So write them down where your employer does not look, and send them to nobody. We
              never ask for them.
            </p>
            <p>
              Nobody can find lost words again, and nobody can make others for the same posts. What
              you wrote stays here too.
            </p>
          </div>
        </div>
      )}
    </Dialog>
  )
}
