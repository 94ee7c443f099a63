// SPDX-License-Identifier: Apache-2.0
// Times one emitted kernel behind the peers' line protocol. Weights are packed and activations
// brought into the kernel's layout beforehand, untimed.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <span>
#include <stdexcept>

#include "kernel.h"
#include "options.h"
#include "protocol.h"

namespace swgen::bench {
namespace {

constexpr size_t kAlignment = 64;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

Memory allocate(size_t bytes) {
  Memory memory(std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment));
  if (!memory) throw std::runtime_error("no memory for " + std::to_string(bytes) + " bytes");
  return memory;
}

class Work {
 public:
  Work(Kernel kernel, int threads)
      : kernel_(std::move(kernel)),
        threads_(threads),
        workspace_(allocate(kernel_.workspace_bytes(threads))) {
    constexpr float (*kValues[])(int64_t) = {input_value, weight_value, bias_value};
    for (size_t i = 0; i < kernel_.tensors.size(); ++i) {
      memory_.push_back(allocate(sizeof(float) * static_cast<size_t>(kernel_.tensors[i].own)));
      pointers_.push_back(static_cast<float*>(memory_.back().get()));
      if (i + 1 < kernel_.tensors.size()) prepare(kernel_.tensors[i], kValues[i], pointers_.back());
    }
  }

  void execute() {
    const int code = kernel_.run(pointers_.data(), workspace_.get(), threads_);
    if (code != 0)
      throw std::runtime_error(std::string(kernel_.name) + "_run: found code " +
                               std::to_string(code) + ", expected 0");
  }

  Checksum check() {
    const Tensor& out = kernel_.tensors.back();
    float* const own = pointers_.back();
    std::memset(own, 0xff, sizeof(float) * static_cast<size_t>(out.own));  // all ones is a NaN
    execute();
    if (out.convert == nullptr) return checksum({own, static_cast<size_t>(out.plain)});
    std::vector<float> plain(static_cast<size_t>(out.plain));
    out.convert(own, plain.data());
    return checksum(plain);
  }

  std::string ready() const {
    const int64_t outputs = kernel_.tensors.back().plain;
    // The same bound as the libraries' peers: products are at most 3/4, as is the bias.
    const double largest =
        0.75 * static_cast<double>(kernel_.flops) / 2 / static_cast<double>(outputs) + 0.75;
    return json_object({{"peer", json_string("swgen")},
                        {"version", json_string(__VERSION__)},
                        {"impl", json_string(kernel_.name)},
                        {"threads", std::to_string(threads_)},
                        {"flops", std::to_string(kernel_.flops)},
                        {"outputs", std::to_string(outputs)},
                        {"exact", largest < 262144.0 ? "true" : "false"}});
  }

 private:
  static void prepare(const Tensor& tensor, float (*value)(int64_t), float* own) {
    if (tensor.convert == nullptr) {
      fill({own, static_cast<size_t>(tensor.plain)}, value);
      return;
    }
    std::vector<float> plain(static_cast<size_t>(tensor.plain));
    fill(plain, value);
    tensor.convert(plain.data(), own);
  }

  Kernel kernel_;
  int threads_;
  Memory workspace_;
  std::vector<Memory> memory_;
  std::vector<float*> pointers_;
};

int run(const std::vector<std::string>& args) {
  const Options options = parse_options(args, {"threads"});
  Work work(make_kernel(), options.threads);
  Session session;
  session.ready = work.ready();
  session.sample_word = "seconds";
  session.warm = [&work] { work.execute(); };
  session.sample = [&work] { return seconds_of([&work] { work.execute(); }); };
  session.check = [&work] { return work.check(); };
  return serve(session, std::cin, std::cout);
}

}  // namespace
}  // namespace swgen::bench

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  return swgen::bench::guarded_main(argv[0], [&args] { return swgen::bench::run(args); });
}
