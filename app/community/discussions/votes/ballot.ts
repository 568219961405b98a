import type { Vote } from '../discussion.ts'

export interface Ballot {
  score: number
  vote: Vote
}

/** Pressing the arrow again takes the vote back. */
export const pressed = (vote: Vote, arrow: 1 | -1): Vote => (vote === arrow ? 0 : arrow)

/** The score with `vote` in place of the earlier one. */
export const votedAs = ({ score, vote: before }: Ballot, vote: Vote): Ballot => ({
  score: score - before + vote,
  vote,
})
