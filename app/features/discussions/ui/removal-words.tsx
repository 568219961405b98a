/** What stands in place of a comment that moderators hold or removed. */
import { stubText } from '../../reports/case-words.ts'
import type { Comment } from '../discussion.contract.ts'

export const RemovalWords = ({ removal }: { removal: NonNullable<Comment['removal']> }) =>
  stubText(removal)
