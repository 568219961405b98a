/** Takes the twelve words of another browser, and asks before those of this one give way. Load it with `lazyDialog`. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import { keptAnonymousId, takeAnonymousId } from '#app/kit/session/visitor-id.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { asksFirst } from '#app/kit/ui/unsaved-words.ts'
import { WordsField, WordsFileButton } from '../../words/ui/words-field.tsx'
import { WordsList } from '../../words/ui/words-list.tsx'
import { readWords, visitorWordsFile, wordsOf } from '../visitor-words.data.ts'

/** What begins with it is one person's: of whoever this browser was before, too. */
const MINE: typeof MY_KEY = 'me'

export function BringDialog({ open, onOpenChange }: OpenProps) {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  /** What was brought, while the words of this browser are still to give way. */
  const [asked, setAsked] = useState<{ id: string; former: string }>()
  // While it closes it still shows what it showed, but for the words.
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    setText('')
    if (open) {
      setProblem(undefined)
      setAsked(undefined)
    }
  }
  const take = (id: string) => {
    if (!takeAnonymousId(id)) {
      setProblem('This browser keeps nothing, so it cannot keep these words either')
      return false
    }
    queryClient.resetQueries({ queryKey: [MINE] })
    return true
  }
  const bring = (id: string, former?: string) => {
    if (!take(id)) return
    onOpenChange(false)
    toast({
      id: 'words',
      title: 'This browser has your posts now',
      ...(former && {
        duration: 10_000,
        action: {
          label: 'Undo',
          onPress: () => {
            take(former)
            toast({ id: 'words', title: 'This browser has its former posts again' })
          },
        },
      }),
    })
  }
  const read = (text: string) => {
    const found = readWords(text)
    if ('problem' in found) return setProblem(found.problem)
    setProblem(undefined)
    const former = keptAnonymousId()
    if (found.id === former) {
      onOpenChange(false)
      toast({ id: 'words', title: 'This browser has these words already' })
    } else if (former) setAsked({ id: found.id, former })
    else bring(found.id)
  }

  if (asked)
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        width="md"
        title="Replace the words of this browser?"
        description="It has twelve words of its own, and a browser has one set at a time: two together would tell us that both are yours."
        footer={
          <>
            <Button variant="ghost" onClick={() => onOpenChange(false)}>
              Leave it as it is
            </Button>
            <Button onClick={() => bring(asked.id, asked.former)}>Replace them</Button>
          </>
        }
      >
        <div className="grid gap-4">
          <p className="text-sm leading-6 text-ink-soft">
            What was written in this browser so far stays on the site. But only these words can
            list, change and delete it, so keep them first. Drafts stay in this browser.
          </p>
          <WordsList
            words={wordsOf(asked.former)}
            fileOf={(siteName) => visitorWordsFile(asked.former, siteName)}
          />
        </div>
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Bring posts here"
      description="In the other browser, “Take your posts along” under My discussions shows twelve words. Type them here, or choose the file."
      footer={
        <>
          <WordsFileButton onText={read} />
          <Button onClick={() => read(text)}>Bring them here</Button>
        </>
      }
    >
      <form {...asksFirst()} className="grid gap-4">
        <WordsField
          value={text}
          error={problem}
          onValue={(value) => {
            setText(value)
            setProblem(undefined)
          }}
        />
        <p className="text-sm leading-6 text-ink-soft">
          Use only words that you took along yourself: whoever else has them can see, change and
          delete what you write here from now on.
        </p>
      </form>
    </Dialog>
  )
}
