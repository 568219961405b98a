/** How screens send a message, and how administrators read and answer what came. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import type { Answer } from '../../api/contract.ts'
import { proveWork } from '../../writing/proof.data.ts'
import type { DiscussionContract } from '../discussions/discussion.contract.ts'
import type { ContactContract, ContactMessage } from './contact.contract.ts'
import { type ContactFilter, type ContactStatus, shows } from './contact.ts'

type ContactApi = Client<ContactContract>

/** What it takes to act on the inbox. */
export interface InboxQueries {
  api: ContactApi
  queryClient: QueryClient
}

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'
/** Lists and the count have keys that begin with it. */
const CONTACT = [MINE, 'contact-messages'] as const
const LISTS = [...CONTACT, 'list'] as const
const UNREAD = [...CONTACT, 'unread'] as const

/** While a mail waits, its answer asks whether it is gone. */
const SENDING_MS = 4_000

export const inboxQuery = (api: ContactApi, filter: ContactFilter, search: string) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, filter, search],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/contact-messages', { query: { filter, search, after }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // What came meanwhile is there whenever the inbox is opened.
    staleTime: 0,
    retry: retryUnlessRefused,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ messages }) => messages.some(isBeingAnswered)) ? SENDING_MS : false,
  })

const isBeingAnswered = ({ answers }: ContactMessage) => answers.some(({ isSent }) => !isSent)

export const unreadQuery = (api: ContactApi) =>
  queryOptions({
    queryKey: UNREAD,
    queryFn: () => api('GET /api/v1/contact-messages/unread'),
    staleTime: 60_000,
    retry: retryUnlessRefused,
  })

export interface Letter {
  name: string
  email: string
  message: string
  sending: string
}

/** A visitor's browser calculates first, as for posting. @throws ApiError */
export async function sendLetter(
  api: Client<ContactContract & DiscussionContract>,
  letter: Letter,
) {
  const proof = await proveWork(api as unknown as Client<DiscussionContract>)
  await api('POST /api/v1/contact-messages', { body: { ...letter, proof } })
}

/**
 * Gives a message another status, and shows it. One that is being opened stays where it stands, also
 * in a list of unread ones: what is read does not run away. Answers whether the list still has it.
 * @throws ApiError
 */
export async function moveMessage(
  { api, queryClient }: InboxQueries,
  { id }: ContactMessage,
  list: ContactFilter,
  status: ContactStatus,
  isOpening: boolean,
) {
  await api('PUT /api/v1/contact-messages/{id}/status', { params: { id }, body: { status } })
  const staysIn = (filter: ContactFilter) => isOpening || shows(filter, status)
  await changeLists(queryClient, (message, filter) => {
    if (message.id !== id) return message
    return staysIn(filter) ? { ...message, status } : undefined
  })
  // Those that are not shown: it may belong into them now.
  queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: UNREAD })
  return { isListed: staysIn(list) }
}

/** Asks for everything anew. */
export const refreshInbox = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: CONTACT })

/** @throws ApiError */
export async function sendReply(
  { api, queryClient }: InboxQueries,
  { id }: ContactMessage,
  reply: { text: string; sending: string },
) {
  const answer = await api('POST /api/v1/contact-messages/{id}/answers', {
    params: { id },
    body: reply,
  })
  await changeLists(queryClient, (message) =>
    message.id === id
      ? { ...message, answers: [...message.answers.filter((it) => it.id !== answer.id), answer] }
      : message,
  )
}

type Page = Answer<ContactContract['GET /api/v1/contact-messages']>

/** What is on its way would undo it. */
async function changeLists(
  queryClient: QueryClient,
  change: (message: ContactMessage, filter: ContactFilter) => ContactMessage | undefined,
) {
  await queryClient.cancelQueries({ queryKey: LISTS })
  for (const [key, data] of queryClient.getQueriesData<InfiniteData<Page>>({ queryKey: LISTS })) {
    if (!data) continue
    const filter = key[LISTS.length] as ContactFilter
    const pages = data.pages.map((page) => ({
      ...page,
      messages: page.messages.flatMap((message) => change(message, filter) ?? []),
    }))
    queryClient.setQueryData(key, { ...data, pages })
  }
}
