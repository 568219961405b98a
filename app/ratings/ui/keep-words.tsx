import { useEffect, useState } from 'react'
import {
  noteWordsOffered,
  offersWords,
  offerWordsLater,
  useHolder,
} from '#app/identity/credentials/holder.data.ts'
import { FirstWordsDialog } from '#app/identity/credentials/ui/issuing-dialogs.tsx'
import { Button } from '#app/kit/ui/button.tsx'

/**
 * Offers the words of the first backup next to your own rating. Nothing here sends a request, because one
 * that follows a rating would reveal whose it is. So passkeys, which need an upload, are only in Settings.
 */
export function KeepWords({ sessionKey, onAnswer }: { sessionKey: string; onAnswer: () => void }) {
  const holder = useHolder(sessionKey)
  const isDue = offersWords(holder)
  // The last offer stays while the page is open.
  const [isOffered, setOffered] = useState(false)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isDue) return
    setOffered(true)
    noteWordsOffered(sessionKey)
  }, [isDue, sessionKey])
  const isOpen = holder?.words !== undefined && (isDue || isOffered)
  return (
    <>
      {isOpen && (
        <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-3">
          <p className="min-w-0 flex-1 basis-72 text-sm leading-6 text-ink-soft">
            Only this device can change or remove your ratings. If you write down twelve words, your
            other devices can too.
          </p>
          <p className="flex gap-2">
            <Button
              variant="secondary"
              size="sm"
              {...FirstWordsDialog.preload}
              onClick={() => setShown(true)}
            >
              Show twelve words
            </Button>
            <Button
              variant="ghost"
              size="sm"
              onClick={() => {
                setOffered(false)
                offerWordsLater(sessionKey)
                onAnswer()
              }}
            >
              Later
            </Button>
          </p>
        </div>
      )}
      <FirstWordsDialog open={isShown} onOpenChange={setShown} onWritten={onAnswer} />
    </>
  )
}
