/** Votes as they are counted while their answer is still on its way. */
import type { Vote } from '../discussion.ts'

/** A score with the vote of one person in it. */
export interface Ballot {
  score: number
  vote: Vote
}

/** Pressing the arrow of one's own vote takes it back. */
export const pressed = (vote: Vote, arrow: 1 | -1): Vote => (vote === arrow ? 0 : arrow)

/** The score as it will be once `vote` has arrived instead of what was there. */
export const votedAs = ({ score, vote: before }: Ballot, vote: Vote): Ballot => ({
  score: score - before + vote,
  vote,
})
