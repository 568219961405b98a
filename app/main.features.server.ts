/** The features that say what they do in a manifest, low to high. */
import { discussions } from './features/discussions/feature.server.ts'
import { jobs } from './features/jobs/feature.server.ts'
import { moderation } from './features/moderation/feature.server.ts'
import { ratings } from './features/ratings/feature.server.ts'

export const features = [discussions, ratings, jobs, moderation]
export const events = features.flatMap(({ events = [] }) => events)
