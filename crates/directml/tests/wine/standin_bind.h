// Bindings and dispatches: part of standin.cpp.

struct Bound {
    ID3D12Resource* buffer = nullptr;
    UINT64 bytes = 0;
};

struct Table final : Child<IDMLBindingTable> {
    Work* work;
    bool* removed;
    std::vector<Bound> inputs, outputs;
    Bound temporary, persistent;

    Table(Work* of, bool* flag) : Child({UNKNOWN, TABLE}), work(of), removed(flag) {
        work->AddRef();
    }
    void gone() override { work->Release(); }

    void wrong(const std::string& what) {
        say("WRONG: %s", what.c_str());
        *removed = true;
    }

    // What is bound, held against what has to be.
    Bound check(const char* what, const DML_BINDING_DESC& binding, const Tensor& tensor, D3D12_RESOURCE_FLAGS flags) {
        if (binding.Type == DML_BINDING_TYPE_NONE) {
            if (tensor.there) wrong(std::string(what) + " is not bound");
            return {};
        }
        auto buffer = static_cast<const DML_BUFFER_BINDING*>(binding.Desc);
        if (binding.Type != DML_BINDING_TYPE_BUFFER || !buffer || !buffer->Buffer) {
            wrong(std::string(what) + " is bound to no buffer");
            return {};
        }
        if (!tensor.there) wrong(std::string(what) + " is bound, and there is no such tensor");
        D3D12_RESOURCE_DESC desc;
        buffer->Buffer->GetDesc(&desc);
        if (desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER || (desc.Flags & flags) != flags)
            wrong(std::string(what) + " is a buffer that cannot be written without order");
        if (buffer->SizeInBytes < tensor.bytes)
            wrong(std::string(what) + " takes " + std::to_string(tensor.bytes) + " bytes, and " +
                  std::to_string(buffer->SizeInBytes) + " are bound");
        if (buffer->Offset + buffer->SizeInBytes > desc.Width) wrong(std::string(what) + " is bound beyond its buffer");
        if (buffer->Offset % (tensor.alignment ? tensor.alignment : 16)) wrong(std::string(what) + " is not aligned");
        return {buffer->Buffer, tensor.bytes};
    }

    std::vector<Bound> check_all(const char* what, UINT count, const DML_BINDING_DESC* bindings,
                                 const std::vector<Tensor>& tensors) {
        std::vector<Bound> out;
        if (count != tensors.size()) {
            wrong(std::string(what) + ": " + std::to_string(count) + " bindings of " + std::to_string(tensors.size()));
            return out;
        }
        for (UINT i = 0; i < count; i++)
            out.push_back(check((what + std::string(" ") + std::to_string(i)).c_str(), bindings[i], tensors[i],
                                D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS));
        return out;
    }

    void STDMETHODCALLTYPE BindInputs(UINT count, const DML_BINDING_DESC* bindings) override {
        inputs = check_all("input", count, bindings, work->description.inputs);
    }
    void STDMETHODCALLTYPE BindOutputs(UINT count, const DML_BINDING_DESC* bindings) override {
        outputs = check_all("output", count, bindings, work->description.outputs);
    }
    void STDMETHODCALLTYPE BindTemporaryResource(const DML_BINDING_DESC* binding) override {
        Tensor wanted{work->description.temporary, 256, work->description.temporary > 0};
        temporary = check("temporary", *binding, wanted, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    }
    void STDMETHODCALLTYPE BindPersistentResource(const DML_BINDING_DESC* binding) override {
        Tensor wanted{work->description.persistent, 256, work->description.persistent > 0};
        persistent = check("persistent", *binding, wanted, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
        if (persistent.buffer != work->persistent) wrong("the persistent resource is not the one that was initialized");
    }
    HRESULT STDMETHODCALLTYPE Reset(const DML_BINDING_TABLE_DESC*) override { return E_NOTIMPL; }

    // Whether all is bound that a dispatch needs.
    bool complete() {
        const Description& d = work->description;
        if (work->initializes) {
            bool writes = d.outputs[0].there;
            if (writes && outputs.empty()) wrong("an initializer has nowhere to write");
        } else {
            if (inputs.size() != d.inputs.size() || outputs.size() != d.outputs.size()) wrong("tensors are not bound");
            if (d.temporary && !temporary.buffer) wrong("the temporary resource is not bound");
            if (d.persistent && !persistent.buffer) wrong("the persistent resource is not bound");
        }
        return !*removed;
    }
};

struct Recorder final : Child<IDMLCommandRecorder> {
    bool* removed;
    explicit Recorder(bool* flag) : Child({UNKNOWN, RECORDER}), removed(flag) {}

    static void change(ID3D12GraphicsCommandList* list, ID3D12Resource* buffer, D3D12_RESOURCE_STATES before,
                       D3D12_RESOURCE_STATES after) {
        D3D12_RESOURCE_BARRIER barrier = {};
        barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
        barrier.Transition = {buffer, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
        list->ResourceBarrier(1, &barrier);
    }

    void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                          IDMLBindingTable* bindings) override {
        auto table = static_cast<Table*>(bindings);
        auto work = reinterpret_cast<Work*>(dispatchable);
        if (table->work != work) table->wrong("a binding table of another operator");
        if (!table->complete()) return;
        if (work->initializes) {
            work->of->persistent = table->outputs.empty() ? nullptr : table->outputs[0].buffer;
            say("initialized");
            return;
        }
        auto commands = static_cast<ID3D12GraphicsCommandList*>(list);
        std::vector<Bound> inputs;
        for (const Bound& input : table->inputs)
            if (input.buffer) inputs.push_back(input);
        for (size_t i = 0; i < table->outputs.size() && !inputs.empty(); i++) {
            const Bound &from = inputs[i % inputs.size()], &to = table->outputs[i];
            if (!to.buffer) continue;
            const auto use = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
            change(commands, from.buffer, use, D3D12_RESOURCE_STATE_COPY_SOURCE);
            change(commands, to.buffer, use, D3D12_RESOURCE_STATE_COPY_DEST);
            commands->CopyBufferRegion(to.buffer, 0, from.buffer, 0, from.bytes < to.bytes ? from.bytes : to.bytes);
            change(commands, from.buffer, D3D12_RESOURCE_STATE_COPY_SOURCE, use);
            change(commands, to.buffer, D3D12_RESOURCE_STATE_COPY_DEST, use);
        }
        say("dispatched with %zu inputs and %zu outputs", inputs.size(), table->outputs.size());
    }
};
