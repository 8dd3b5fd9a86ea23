/** Lets a member join. It is checked here as far as it can be, and by the manager, whose refusal is shown as it is. */
import { type FormEvent, useId, useState } from 'react';
import { useMutation } from 'urql';
import { useServices } from '../../services.ts';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { RegisterInstanceMutation } from '../fleet/queries.graphql.ts';
import { nameProblem, urlProblem, withoutTrailingSlashes } from './registration.ts';

interface RegisterCardProps {
  /** Names that are taken. */
  readonly listed: readonly string[];
}

export function RegisterCard({ listed }: RegisterCardProps) {
  const { fleet } = useServices();
  const [{ fetching, error }, register] = useMutation(RegisterInstanceMutation);
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [registered, setRegistered] = useState<string>();
  const problems = { name: nameProblem(name, listed), url: urlProblem(url) };
  const isFit = problems.name === undefined && problems.url === undefined;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setRegistered(undefined);
    const { data } = await register({ name, url: withoutTrailingSlashes(url) });
    if (!data) return;
    setRegistered(name);
    setName('');
    setUrl('');
    fleet.reload();
  }

  return (
    <form className="card register" aria-labelledby="register-title" onSubmit={submit}>
      <h3 id="register-title">Register an instance</h3>
      <div className="register-line">
        <Field
          label="Name"
          placeholder="laptop-a"
          value={name}
          problem={name === '' ? undefined : problems.name}
          onChange={setName}
        />
        <Field
          label="URL"
          placeholder="http://127.0.0.1:4115"
          value={url}
          problem={url === '' ? undefined : problems.url}
          onChange={setUrl}
        />
        <button type="submit" className="primary" disabled={!isFit || fetching}>
          {fetching ? 'Registering…' : 'Register'}
        </button>
      </div>
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      {registered !== undefined && (
        <Banner role="status">
          <b>{registered}</b> is registered. It is used as soon as it answers to this name.
        </Banner>
      )}
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function Field({ label, placeholder, value, problem, onChange }: FieldProps) {
  const id = useId();
  const isInvalid = problem !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        placeholder={placeholder}
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={isInvalid}
        aria-describedby={isInvalid ? `${id}-problem` : undefined}
        onChange={({ target }) => onChange(target.value.trim())}
      />
      {isInvalid && (
        <small id={`${id}-problem`} className="field-problem">
          {problem}
        </small>
      )}
    </div>
  );
}
