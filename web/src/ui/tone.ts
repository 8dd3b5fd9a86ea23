/** Chooses the colour of a dot; the word beside it is what tells. */
export type Tone = 'idle' | 'active' | 'waiting' | 'asking' | 'done' | 'failed' | 'ended';
