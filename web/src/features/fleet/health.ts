/** How the fleet does, in one word and line by line (spec/manager.md § 20.4). */
import type { Tone } from '../../ui/tone.ts';
import { type FleetState, stateSentence } from './state.ts';

export interface HealthWord {
  readonly word: 'unknown' | 'degraded' | 'live' | 'healthy';
  readonly tone: Tone;
}

/** `isStreaming`: the page follows what happens. What was read before a failure says nothing about now. */
export function healthWord({ phase, daemons, instances }: FleetState, isStreaming: boolean): HealthWord {
  if (phase === 'failed' || daemons.length === 0) return { word: 'unknown', tone: 'idle' };
  const isWell = daemons.every(({ running }) => running) && instances.every(({ state }) => state === 'LIVE');
  if (!isWell) return { word: 'degraded', tone: 'failed' };
  return { word: isStreaming ? 'live' : 'healthy', tone: 'done' };
}

export interface HealthLine {
  readonly name: string;
  readonly text: string;
  readonly tone: Tone;
}

/** The own daemons. */
export function daemonLines({ daemons }: FleetState): readonly HealthLine[] {
  return daemons.map(({ name, running }) => ({
    name,
    text: running ? 'running' : 'stopped',
    tone: running ? 'done' : 'failed',
  }));
}

/** Each instance, the own one first. */
export function instanceLines({ instances }: FleetState): readonly HealthLine[] {
  return instances.map((row, index) => ({
    name: row.name || 'no name',
    text: index === 0 ? `this instance · ${row.managedCount} managed` : memberText(row),
    tone: row.state === 'LIVE' ? 'done' : 'failed',
  }));
}

function memberText(row: FleetState['instances'][number]): string {
  if (row.state !== 'LIVE') return stateSentence(row);
  return row.version === '' ? 'live' : `live · ${row.version}`;
}
