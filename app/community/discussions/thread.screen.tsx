/** Spec §2.1. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Lock, Pin } from 'lucide'
import { useEffect, useMemo, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { pageFailure } from '#app/kit/session/page-failure.tsx'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import { SiteLink, useSite } from '#app/kit/session/site.tsx'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { PostBody, type Quote, usePassage } from '#app/kit/writing/post-body.tsx'
import { CompanyReplySection } from '../replies/ui/reply-section.tsx'
import { CommentList } from './comments/ui/comment-list.tsx'
import type { DiscussionContract, Thread } from './discussion.contract.ts'
import {
  type CommentsAddress,
  commentsAddress,
  emptyMyThread,
  myThreadQuery,
  threadIdOf,
  threadListHref,
  threadQuery,
} from './discussion.data.ts'
import { invalidateThread, type ThreadQueries } from './discussion-actions.data.ts'
import { readThreads, withRead } from './lists/lists.data.ts'
import { PollBox } from './polls/ui/poll-box.tsx'
import { Byline } from './posts/ui/byline.tsx'
import { ThreadActions } from './threads/ui/thread-actions.tsx'

/** The page at `/thread/{id}-{readable-tail}`. */
export default function ThreadScreen({ id: segment }: { id?: string }) {
  const api = useApi<DiscussionContract>()
  const { path, search } = useAddress()
  const query = useQuery(threadQuery(api, threadIdOf(segment)))
  const thread = query.data

  // The server redirects to the full URL. Links within the site don't reach the server, so we replace the URL here.
  const home = thread && encodeURI(thread.path)
  useEffect(() => {
    if (!home || home === path) return
    const tail = (search && `?${search}`) + window.location.hash
    navigate(home + tail, { replace: true })
  }, [home, path, search])

  const failure = pageFailure(query)
  if (failure) return failure
  if (!thread) return <ThreadSkeleton />
  const address = commentsAddress(Object.fromEntries(new URLSearchParams(search)))
  return <ThreadPage thread={thread} address={address} />
}

function ThreadPage({ thread, address }: { thread: Thread; address: CommentsAddress }) {
  const { siteName, siteUrl } = useSite()
  const { queries, myThread } = useThreadQueries(thread)
  useEffect(
    () => readThreads.change((read) => withRead(read, thread.id, thread.comments)),
    [thread.id, thread.comments],
  )
  const { post, watch, takeQuote } = usePassage()
  const [quote, setQuote] = useState<Quote>()
  const { title, company, topics } = thread
  const about = company ? `About ${company.name}: ` : ''
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-6 md:py-10">
      <title>{`${title} – ${siteName}`}</title>
      <meta
        name="description"
        content={`${about}${thread.excerpt || `a discussion on ${siteName}`}`}
      />
      <link rel="canonical" href={siteUrl + encodeURI(thread.path)} />

      <a
        href={threadListHref({ company: company?.id })}
        className="-ml-1 inline-flex min-h-10 items-center gap-1.5 rounded-md px-1 text-sm text-ink-soft hover:text-ink"
      >
        <Icon of={ArrowLeft} className="size-4" />
        {company ? `Discussions about ${company.name}` : 'Discussions'}
      </a>
      <article className="mt-3">
        <h1
          dir="auto"
          className="font-serif text-3xl leading-tight font-medium tracking-tight text-balance md:text-4xl"
        >
          {title}
        </h1>
        <p className="dotted mt-3 items-center gap-y-1 text-sm text-ink-faint">
          <Byline
            author={thread.author}
            badge={thread.badge}
            hasHiddenBadge={myThread?.hiddenBadges.includes(thread.id)}
            postedAt={thread.postedAt}
            isEdited={thread.isEdited}
            isMine={myThread?.isMine}
          />
          {company && (
            <span>
              about{' '}
              <SiteLink
                href={company.path}
                className="font-semibold text-tea hover:underline hover:underline-offset-4"
              >
                {company.name}
              </SiteLink>
            </span>
          )}
          {thread.isPinned && (
            <Badge tone="tea" icon={<Icon of={Pin} />} className="before:hidden">
              Pinned
            </Badge>
          )}
          {thread.isLocked && (
            <Badge icon={<Icon of={Lock} />} className="before:hidden">
              Locked
            </Badge>
          )}
        </p>
        {thread.html && (
          <div className="mt-6 text-base md:text-[1.0625rem]">
            {/* Headings in a post start at the third level and need one above. */}
            <h2 className="sr-only">What it says</h2>
            <div ref={post}>
              <PostBody html={thread.html} />
            </div>
          </div>
        )}
        {thread.poll && <PollBox poll={thread.poll} queries={queries} myThread={myThread} />}
        {topics.length > 0 && (
          <ul aria-label="Topics" className="mt-6 flex flex-wrap gap-2">
            {topics.map(({ slug, name }) => (
              <li key={slug}>
                <a
                  href={threadListHref({ topic: slug })}
                  className="inline-flex h-9 items-center rounded-full border border-line bg-surface px-3 text-[0.8125rem] text-ink-soft transition-colors hover:border-line-strong hover:text-ink md:h-7"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        )}
        <div {...watch}>
          <ThreadActions
            thread={thread}
            queries={queries}
            myThread={myThread}
            onQuote={thread.html && !address.below ? () => setQuote(takeQuote()) : undefined}
          />
        </div>
      </article>
      {company && (
        <CompanyReplySection
          reply={thread.companyReply}
          answered={{ kind: 'thread', id: thread.id, path: thread.path, company }}
          isOpen={!thread.isLocked}
          level={2}
          onChange={() => invalidateThread(queries)}
          className="mt-6"
        />
      )}
      <CommentList
        thread={thread}
        address={address}
        queries={queries}
        myThread={myThread}
        quote={quote}
      />
      <RelatedThreads threads={thread.related} />
    </div>
  )
}

function RelatedThreads({ threads }: { threads: Thread['related'] }) {
  if (threads.length === 0) return null
  return (
    <section aria-labelledby="related" className="mt-12 border-t border-line pt-8 print:hidden">
      <h2 id="related" className="font-serif text-2xl font-medium tracking-tight">
        Related discussions
      </h2>
      <ul className="mt-3 divide-y divide-line">
        {threads.map(({ id, path, title, comments }) => (
          <li key={id}>
            <a
              href={path}
              className="group flex items-baseline justify-between gap-6 py-3 text-[0.9375rem]"
            >
              <span
                dir="auto"
                className="font-medium text-pretty text-ink group-hover:text-tea-strong"
              >
                {title}
              </span>
              <span className="shrink-0 text-[0.8125rem] text-ink-faint">
                {plural(comments, 'comment')}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

const ThreadSkeleton = () => (
  <Loading className="mx-auto w-full max-w-3xl px-5 py-6 md:py-10">
    <Skeleton className="h-5 w-32" />
    <Skeleton className="mt-6 h-10 w-4/5" />
    <Skeleton className="mt-4 h-4 w-56" />
    <Skeleton className="mt-8 h-40 w-full" />
    <Skeleton className="mt-8 h-10 w-48" />
  </Loading>
)

/** `myThread` is undefined on the server, and until we know who's here. */
function useThreadQueries(thread: Thread) {
  const threadId = thread.id
  const api = useApi<DiscussionContract>()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const isKnown = useIsKnown()
  const isNobody = useReader() === null
  const { data } = useQuery({
    ...myThreadQuery(api, threadId, sessionKey),
    // A browser that never wrote or voted has nothing here, so we send no request.
    ...(isNobody && { queryFn: () => emptyMyThread(thread) }),
    enabled: isKnown,
  })
  const queries = useMemo<ThreadQueries>(
    () => ({ api, queryClient, threadId, sessionKey }),
    [api, queryClient, threadId, sessionKey],
  )
  return { queries, myThread: isKnown ? data : undefined }
}
