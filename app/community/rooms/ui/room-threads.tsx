import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#app/api/client.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText, plural } from '#app/kit/ui/format.ts'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import type { RoomThread } from '../room.contract.ts'
import { type Door, roomThreadsQuery, writeInRoom } from '../room.data.ts'
import { ROOM } from '../room.ts'
import { NewRoomPost } from './room-composer.tsx'

export function RoomThreads({ door, home }: { door: Door; home: string }) {
  const list = useInfiniteQuery(roomThreadsQuery(door))
  const queryClient = useQueryClient()
  const [isWriting, setWriting] = useState(false)
  if (list.isError && !list.data) {
    const { error } = list
    return error instanceof ApiError && error.status === 409 ? (
      <EmptyState title={ROOM.closedTitle} text={ROOM.closedText} />
    ) : (
      <LoadError text={error.message} onRetry={list.refetch} />
    )
  }
  if (!list.data)
    return (
      <div role="status" aria-label="Opening the room..." className="mt-8">
        <SkeletonCard className="h-64" />
      </div>
    )
  const threads = list.data.pages.flatMap(({ threads }) => threads)
  return (
    <div className="mt-8 grid gap-8">
      {isWriting ? (
        <section aria-label={ROOM.begin} className="rounded-xl border border-line bg-surface p-5">
          <NewRoomPost
            isThread
            label="Text"
            submitLabel="Post thread"
            draftKey={{ kind: 'room', key: door.companyId, path: home }}
            onCancel={() => setWriting(false)}
            send={async (post) => {
              const { id } = await writeInRoom(door, { ...post, threadId: post.id })
              await queryClient.invalidateQueries(roomThreadsQuery(door))
              navigate(`${home}/${id}`)
            }}
          />
        </section>
      ) : (
        <div>
          <Button onClick={() => setWriting(true)}>{ROOM.begin}</Button>
        </div>
      )}
      {threads.length === 0 ? (
        <EmptyState title={ROOM.empty} text={ROOM.emptyText} />
      ) : (
        <ul className="grid divide-y divide-line border-y border-line">
          {threads.map((thread) => (
            <ThreadRow key={thread.id} thread={thread} home={home} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </div>
  )
}

function ThreadRow({ thread, home }: { thread: RoomThread; home: string }) {
  const { id, title, excerpt, name, month, isNew, comments } = thread
  return (
    <li className="relative py-5">
      <h2 dir="auto" className="font-serif text-xl leading-snug font-medium text-balance">
        <a
          href={`${home}/${id}`}
          className="outline-offset-4 after:absolute after:inset-0 hover:text-tea"
        >
          {title}
        </a>
      </h2>
      {excerpt && (
        <p dir="auto" className="mt-1 line-clamp-2 text-sm leading-6 text-ink-soft">
          {excerpt}
        </p>
      )}
      <p className="dotted mt-2 text-sm text-ink-faint">
        <span>{name}</span>
        <span>{plural(comments, 'comment')}</span>
        <span>{isNew ? ROOM.isNew : dateText(month)}</span>
      </p>
    </li>
  )
}
