/** A thread of a room with its comments, oldest first. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#app/api/client.ts'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { type Door, roomKey, roomThreadQuery, writeInRoom } from '../room.data.ts'
import { ROOM } from '../room.ts'
import { NewRoomPost } from './room-composer.tsx'
import { RoomPostRow } from './room-post.tsx'

export function RoomThreadView({ door, threadId, home }: RoomThreadProps) {
  const thread = useInfiniteQuery(roomThreadQuery(door, threadId))
  const queryClient = useQueryClient()
  const invalidate = () => queryClient.invalidateQueries({ queryKey: roomKey(door) })
  if (thread.isError && !thread.data) {
    const { error } = thread
    if (error instanceof ApiError && error.status === 404)
      return <EmptyState isHeading title={ROOM.gone} />
    return error instanceof ApiError && error.status === 409 ? (
      <EmptyState isHeading title={ROOM.closedTitle} text={ROOM.closedText} />
    ) : (
      <LoadError text={error.message} onRetry={thread.refetch} />
    )
  }
  if (!thread.data)
    return (
      <div role="status" aria-label="Opening the thread..." className="mt-8">
        <SkeletonCard className="h-64" />
      </div>
    )
  const path = `${home}/${threadId}`
  const posts = thread.data.pages.flatMap(({ posts }) => posts)
  const title = thread.data.pages[0]?.title || ROOM.deleted
  const isOpen = posts[0] !== undefined && !posts[0].isDeleted && posts[0].hidden === null
  return (
    <article className="mt-3">
      <h1
        dir="auto"
        className="font-serif text-3xl leading-tight font-medium tracking-tight text-balance md:text-4xl"
      >
        {title}
      </h1>
      <ol className="mt-6 grid divide-y divide-line border-y border-line">
        {posts.map((post, at) => (
          <RoomPostRow
            key={post.id}
            door={door}
            threadId={threadId}
            path={path}
            post={post}
            title={at === 0 && post.id === threadId ? title : null}
            onChanged={invalidate}
          />
        ))}
      </ol>
      <MoreButton list={thread} className="mt-6" />
      {isOpen && !thread.hasNextPage && (
        <section aria-label="Write a comment" className="mt-8">
          <NewRoomPost
            isThread={false}
            label="Your comment"
            submitLabel="Comment"
            draftKey={{ kind: 'room', key: threadId, path }}
            send={async (post) => {
              await writeInRoom(door, { ...post, threadId })
              await invalidate()
            }}
          />
        </section>
      )}
    </article>
  )
}

interface RoomThreadProps {
  door: Door
  threadId: string
  home: string
}
