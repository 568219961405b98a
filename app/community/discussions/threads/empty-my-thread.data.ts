import type { MyThread, Thread } from '../discussion.contract.ts'

/** What `GET /api/v1/threads/{id}/mine` returns for a visitor who wrote and voted nothing. */
export const emptyMyThread = ({ isLocked, poll }: Pick<Thread, 'isLocked' | 'poll'>): MyThread => ({
  isMine: false,
  needsProof: true,
  name: null,
  vote: 0,
  isSaved: false,
  isMuted: false,
  pollChoice: null,
  pollResults: poll?.results ?? null,
  comments: [],
  hiddenBadges: [],
  votes: {},
  can: { comment: !isLocked, edit: false, delete: false, moderate: false },
})
