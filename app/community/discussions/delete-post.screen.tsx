/** Deletes my thread by its title, and goes back. Spec §2.16, §5, §8. */
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { safeRedirect } from '#app/kit/session/redirect.ts'
import { PageHead, useReach } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { Spinner } from '#app/kit/ui/skeleton.tsx'
import type { DiscussionContract } from './discussion.contract.ts'
import { deletePostTitled } from './posts/deletion.data.ts'
import {
  DELETE_POST,
  DELETE_TEST_TITLE,
  isSameTitle,
  RETURN_MS,
  RETURN_TO,
} from './posts/post-deletion.ts'

export default function DeletePostScreen() {
  const api = useApi<DiscussionContract>()
  const { search } = useAddress()
  const reach = useReach()
  // The home page, if discussions are off.
  const back = reach(safeRedirect(new URLSearchParams(search).get('returnTo') || RETURN_TO)) ?? '/'
  const [isDone, setDone] = useState(false)
  const deletion = useRef<Promise<void>>(undefined)

  useEffect(() => {
    const title = new URLSearchParams(search).get('title')
    // Following a link deletes nothing, except the thread with the test title.
    if (!title || !isSameTitle(title, DELETE_TEST_TITLE)) {
      navigate(back, { replace: true })
      return
    }
    let timer: ReturnType<typeof setTimeout>
    let isHere = true
    const leave = () => {
      if (!isHere) return
      setDone(true)
      timer = setTimeout(() => navigate(back, { replace: true }), RETURN_MS)
    }
    // An effect may run twice, but the deletion mustn't.
    deletion.current ??= deletePostTitled(api, title)
    deletion.current.then(leave)
    return () => {
      isHere = false
      clearTimeout(timer)
    }
  }, [api, search, back])

  return (
    <div className="mx-auto mt-[8svh] grid max-w-md justify-items-center px-5 py-20 text-center">
      <PageHead title="Delete post" text="To delete one of your posts, type its title." />
      <h1 className="font-serif text-4xl font-medium tracking-tight text-balance text-ink">
        {DELETE_POST.title}
      </h1>
      <p role="status" className="mt-5 flex min-h-6 items-center gap-3 text-ink-soft no-js:hidden">
        {isDone ? (
          DELETE_POST.done
        ) : (
          <>
            <Spinner label="" className="size-5" />
            {DELETE_POST.busy}
          </>
        )}
      </p>
      <NeedsScripts className="mt-5">Deleting needs JavaScript.</NeedsScripts>
      {isDone && (
        <Button
          variant="secondary"
          className="mt-8"
          onClick={() => navigate(back, { replace: true })}
        >
          {DELETE_POST.back}
        </Button>
      )}
      <a href={back} className={`mt-8 js:hidden ${buttonClasses('secondary')}`}>
        {DELETE_POST.back}
      </a>
    </div>
  )
}
