/** Shows the words of the first backup without any request. Load it with `lazyDialog`. */
import { useState } from 'react'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dialogButtonsClasses } from '#app/kit/ui/class-names.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { wordsFile, wordsOfBits } from '../../accounts/words/twelve-words.data.ts'
import { WordsList } from '../../accounts/words/ui/twelve-words.tsx'
import { fromBase64url } from '../credential.ts'
import { forgetTwelveWords, storedHolder } from '../holder.data.ts'
import { noteSecretShared } from '../rated.data.ts'

export function FirstWordsDialog({ open, onOpenChange, onWritten }: FirstWordsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Your twelve words"
      description="Your other devices will ask for these twelve words once. Once you’ve written them down, this device forgets them."
    >
      <FirstWords onClose={() => onOpenChange(false)} onWritten={onWritten} />
    </Dialog>
  )
}

function FirstWords({ onClose, onWritten }: FirstWordsProps) {
  const sessionKey = useSessionKey()
  // The words stay while the dialog closes.
  const [bits] = useState(() => storedHolder(sessionKey)?.words?.bits ?? '')
  const finish = () => {
    forgetTwelveWords(sessionKey)
    noteSecretShared(sessionKey)
    onClose()
    onWritten()
    toast({ title: 'Your ratings are backed up' })
  }
  return (
    <div className="grid gap-4">
      {bits && <RatingWords bits={fromBase64url(bits)} />}
      <p className="text-sm leading-6 text-ink-soft">
        Prefer a passkey? Add it in Settings on another day, so no one can match it with a rating.
      </p>
      <div className={dialogButtonsClasses}>
        <Button variant="secondary" onClick={onClose}>
          Not yet
        </Button>
        <Button onClick={finish}>I’ve written them down</Button>
      </div>
    </div>
  )
}

interface FirstWordsProps {
  onClose: () => void
  onWritten: () => void
}

type FirstWordsDialogProps = OpenProps & {
  onWritten: () => void
}

/** @param props.bits 16 bytes */
export function RatingWords({ bits }: { bits: Uint8Array }) {
  const words = wordsOfBits(bits)
  return (
    <>
      <WordsList words={words} fileOf={(siteName) => ratingWordsFile(words, siteName)} />
      <p className="text-sm leading-6 text-ink-soft">
        <strong className="font-semibold text-ink">
          Anyone who has these words and gets into your account can see, change and remove your
          ratings, just like you.
        </strong>{' '}
        Keep them where your employer can’t look, and don’t send them to anyone. We never see them,
        and our team never asks for them.
      </p>
    </>
  )
}

const ratingWordsFile = (words: string[], siteName: string) =>
  wordsFile(`Anyone who has these twelve words and gets into the account can see, change and remove
what it rated at ${siteName}. Keep them where no one else looks.

${words.join(' ')}
`)
