import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { storedAnonymousId, takeAnonymousId } from '#app/kit/session/visitor-id.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { asksFirst } from '#app/kit/ui/unsaved-guard.ts'
import { readWords, visitorWordsFile, wordsOfId } from '../../words/twelve-words.data.ts'
import { WordsField, WordsFileButton, WordsList } from '../../words/ui/twelve-words.tsx'

/** Reads another browser's twelve words, and asks before it replaces this one's. Load it with `lazyDialog`. */
export function ImportWordsDialog({ open, onOpenChange }: OpenProps) {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  /** The words to import, while the person decides about this browser's own. */
  const [question, setQuestion] = useState<{ id: string; former: string }>()
  // Keeps its view while it closes, except for the words.
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    setText('')
    if (open) {
      setProblem(undefined)
      setQuestion(undefined)
    }
  }
  const take = (id: string) => {
    if (!takeAnonymousId(id)) {
      setProblem('This browser can’t store anything, so it can’t keep these words')
      return false
    }
    queryClient.resetQueries({ queryKey: [MY_KEY] })
    return true
  }
  const bring = (id: string, former?: string) => {
    if (!take(id)) return
    onOpenChange(false)
    toast({
      id: 'words',
      title: 'Your posts are now in this browser',
      ...(former && {
        duration: 10_000,
        action: {
          label: 'Undo',
          onPress: () => {
            take(former)
            toast({ id: 'words', title: 'This browser’s own posts are back' })
          },
        },
      }),
    })
  }
  const read = (text: string) => {
    const found = readWords(text)
    if ('problem' in found) return setProblem(found.problem)
    setProblem(undefined)
    const former = storedAnonymousId()
    if (found.id === former) {
      onOpenChange(false)
      toast({ id: 'words', title: 'This browser already uses these words' })
    } else if (former) setQuestion({ id: found.id, former })
    else bring(found.id)
  }

  if (question)
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        width="md"
        title="Replace this browser’s words?"
        description="It already has its own twelve words, and it can only keep one set. With two sets, we could tell that both are yours."
        footer={
          <>
            <Button variant="ghost" onClick={() => onOpenChange(false)}>
              Keep these
            </Button>
            <Button onClick={() => bring(question.id, question.former)}>Replace them</Button>
          </>
        }
      >
        <div className="grid gap-4">
          <p className="text-sm leading-6 text-ink-soft">
            Anything you wrote in this browser stays on the site. But you’ll need these words to
            find, change or delete it, so save them first. Drafts stay in this browser.
          </p>
          <WordsList
            words={wordsOfId(question.former)}
            fileOf={(siteName) => visitorWordsFile(question.former, siteName)}
          />
        </div>
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Restore your posts"
      description="In your other browser, choose “Back up your posts” under My discussions to see twelve words. Type them here, or choose the file."
      footer={
        <>
          <WordsFileButton onText={read} />
          <Button onClick={() => read(text)}>Restore</Button>
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
          Only use words you saved yourself. Anyone else who has them can see, change and delete
          what you write here from now on.
        </p>
      </form>
    </Dialog>
  )
}
